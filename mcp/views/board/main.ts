/** View of `list_agreements`: agreements by status, with reminders that the user edits and sends. */
import type { JsonObject } from '../../../src/records/fields.ts';
import { button, html } from '../kit/element.ts';
import { toPlainLine } from '../kit/formatter.ts';
import { startView, type ViewContext } from '../kit/start-view.ts';
import { type AgreementCard, COLUMNS, parseAgreementCards } from './agreement-cards.ts';

const CARDS_PER_STEP = 12;

startView('board', (toolResult: JsonObject, viewContext: ViewContext) => {
  const cards = parseAgreementCards(toolResult);
  const columns = COLUMNS.map((name) => ({ name, cards: cards.filter(({ column }) => column === name) }));
  const hasMore = toolResult['next_cursor'] !== undefined;
  return html(
    'div',
    html('h1', 'Agreements'),
    cards.length === 0
      ? html('p.soft.empty', 'No agreements yet')
      : html(
          'div.board',
          ...columns
            .filter(({ name, cards }) => name !== 'Ended' || cards.length > 0)
            .map(({ name, cards }) =>
              html(
                'section',
                { 'aria-label': name },
                html('h2', `${name} `, html('span.soft', cards.length)),
                renderCards(cards, viewContext),
              ),
            ),
        ),
    hasMore && html('p.small.soft', 'There are more agreements. Ask the assistant for the next page.'),
  );
});

/** A column: its first cards, and a button for the next ones. */
function renderCards(cards: readonly AgreementCard[], viewContext: ViewContext): Node {
  const list = html('ul.plain');
  const showMore = () => {
    const from = list.querySelectorAll('li.card').length;
    const next = cards.slice(from, from + CARDS_PER_STEP).map((card) => renderCard(card, viewContext));
    moreItem.remove();
    list.append(...next);
    const remaining = cards.length - from - next.length;
    moreButton.textContent = `Show ${Math.min(remaining, CARDS_PER_STEP)} more`;
    if (remaining > 0) list.append(moreItem);
    if (from > 0) (next[0] as HTMLElement).focus();
  };
  const moreButton = button('', showMore, { class: 'small' });
  const moreItem = html('li', moreButton);
  showMore();
  return list;
}

function renderCard(card: AgreementCard, viewContext: ViewContext): Node {
  const { name, recipients, daysWaiting, status, column } = card;
  const reminderSlot = html('div');
  const draftReminder = () => reminderSlot.replaceChildren(renderReminder(card, viewContext));
  const remindButton = button('Draft a reminder', draftReminder, { class: 'small' });
  const days = daysWaiting === 1 ? '1 day' : `${daysWaiting} days`;
  return html(
    'li.card',
    { tabindex: -1 },
    html('p.name', toPlainLine(name)),
    recipients.length > 0 &&
      html(
        'p.small.soft',
        toPlainLine(recipients.slice(0, 5).join(', ')),
        recipients.length > 5 && ` and ${recipients.length - 5} more`,
      ),
    column === 'Ended' && status !== undefined && html('p.small.soft', toPlainLine(status)),
    daysWaiting !== undefined &&
      html(daysWaiting > 7 ? 'p.small.warn' : 'p.small', daysWaiting === 0 ? 'Sent today' : `Waiting for ${days}`),
    daysWaiting !== undefined && viewContext.host.sendMessage && html('p', remindButton),
    reminderSlot,
  );
}

/** Editable message; it is only added to the chat when the user presses the button. */
function renderReminder(card: AgreementCard, { host }: ViewContext): Node {
  const recipientNames =
    card.recipients.length > 0
      ? card.recipients.map((name) => JSON.stringify(toPlainLine(name))).join(', ')
      : 'the signers';
  const since = card.daysWaiting ? `, sent ${card.daysWaiting} ${card.daysWaiting === 1 ? 'day' : 'days'} ago,` : '';
  const text = html('textarea', { rows: 4, 'aria-label': 'Message to the assistant' });
  const agreementLabel = `${JSON.stringify(toPlainLine(card.name))}${card.id === undefined ? '' : ` (id ${JSON.stringify(card.id)})`}`;
  text.value = [
    `Write a short, friendly reminder to ${recipientNames}: the agreement ${agreementLabel}${since} is still waiting for a signature.`,
    'Show me the text first. Do not send anything yet.',
  ].join(' ');
  const statusLine = html('p', { class: 'small', role: 'status' });
  const send = async () => {
    sendButton.disabled = true;
    try {
      await host.sendMessage?.(text.value);
      statusLine.textContent = 'Added to the chat';
    } catch {
      sendButton.disabled = false;
      statusLine.textContent = 'The message could not be added. Copy it into the chat.';
    }
  };
  const sendButton = button('Add to the chat', () => void send(), { class: 'main' });
  return html('div.reminder', text, sendButton, statusLine);
}
