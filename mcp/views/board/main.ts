/** The view of `list_agreements`: how far each is signed, and a reminder that a person approves. */
import type { JsonObject } from '../../../src/answer/fields.ts';
import { html } from '../kit/element.ts';
import { type Scene, start } from '../kit/view.ts';
import { plainText } from '../kit/wording.ts';
import { type Card, COLUMNS, parseCards } from './agreements.ts';

const CARDS = 50;

start('board', (answer: JsonObject, scene: Scene) => {
  const cards = parseCards(answer);
  const columns = COLUMNS.map((name) => ({ name, cards: cards.filter(({ column }) => column === name) }));
  const hasMore = answer['next_cursor'] !== undefined;
  return html(
    'div',
    {},
    html('h1', {}, 'Agreements'),
    cards.length === 0
      ? html('p', { class: 'soft empty' }, 'There are none yet.')
      : html(
          'div',
          { class: 'board' },
          ...columns
            .filter(({ name, cards }) => name !== 'Ended' || cards.length > 0)
            .map(({ name, cards }) =>
              html(
                'section',
                { 'aria-label': name },
                html('h2', {}, `${name} `, html('span', { class: 'soft' }, cards.length)),
                html(
                  'ul',
                  { class: 'plain' },
                  ...cards.slice(0, CARDS).map((card) => renderCard(card, scene)),
                ),
                cards.length > CARDS && html('p', { class: 'small soft' }, `${cards.length - CARDS} more`),
              ),
            ),
        ),
    hasMore &&
      html('p', { class: 'small soft' }, 'There are more than these: ask the assistant for the next page.'),
  );
});

function renderCard(card: Card, scene: Scene): Node {
  const { name, people, daysWaiting, status, column } = card;
  const place = html('div', {});
  const remind = html(
    'button',
    { type: 'button', class: 'small', click: () => place.replaceChildren(reminder(card, scene)) },
    'Prepare a reminder',
  );
  const days = daysWaiting === 1 ? '1 day' : `${daysWaiting} days`;
  return html(
    'li',
    { class: 'card' },
    html('p', { class: 'name' }, plainText(name)),
    people.length > 0 &&
      html(
        'p',
        { class: 'small soft' },
        plainText(people.slice(0, 5).join(', ')),
        people.length > 5 && ` and ${people.length - 5} more`,
      ),
    column === 'Ended' && status !== undefined && html('p', { class: 'small soft' }, plainText(status)),
    daysWaiting !== undefined &&
      html(
        'p',
        { class: daysWaiting > 7 ? 'small warn' : 'small' },
        daysWaiting === 0 ? 'Sent today' : `Waiting for ${days}`,
      ),
    daysWaiting !== undefined && scene.host.say && html('p', {}, remind),
    place,
  );
}

/** The message as it would stand in the chat: the person may change it, and it goes only when they say so. */
function reminder(card: Card, { host }: Scene): Node {
  const who =
    card.people.length > 0
      ? card.people.map((name) => JSON.stringify(plainText(name))).join(', ')
      : 'the signers';
  const since = card.daysWaiting
    ? `, sent ${card.daysWaiting} ${card.daysWaiting === 1 ? 'day' : 'days'} ago,`
    : '';
  const text = html('textarea', { rows: 4, 'aria-label': 'Message to the assistant' });
  const which = `${JSON.stringify(plainText(card.name))}${card.id === undefined ? '' : ` (id ${JSON.stringify(card.id)})`}`;
  text.value = [
    `Write a short, friendly reminder to ${who}: the agreement ${which}${since} still waits for a signature.`,
    'Show me the text first, and send nothing yet.',
  ].join(' ');
  const said = html('p', { class: 'small', role: 'status' });
  const button = html(
    'button',
    {
      type: 'button',
      class: 'main',
      click: async () => {
        button.disabled = true;
        try {
          await host.say?.(text.value);
          said.textContent = 'It stands in the chat.';
        } catch {
          button.disabled = false;
          said.textContent = 'The host did not take it: copy the text into the chat.';
        }
      },
    },
    'Put it into the chat',
  );
  return html('div', { class: 'reminder' }, text, button, said);
}
