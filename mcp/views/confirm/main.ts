/** View of a confirmation request, with buttons to approve and deny. */
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import { CARD_REQUEST_KEY, DECISION_TOOL } from '../../confirm/card-request.ts';
import { button, html } from '../kit/element.ts';
import { toPlainLine } from '../kit/formatter.ts';
import { startView, type ViewContext } from '../kit/start-view.ts';

/** Cards by token: hosts may deliver a result again, which must not ask again after a decision. */
const cards = new Map<unknown, Node>();

startView('confirm', (toolResult: JsonObject, viewContext: ViewContext) => {
  const cardRequest = viewContext.meta[CARD_REQUEST_KEY];
  if (toolResult['done'] !== false) return renderOutcome(toolResult);
  if (!isObject(cardRequest)) return renderClosed(toolResult);
  const cardElement = cards.get(cardRequest['token']) ?? renderCard(toolResult, { ...viewContext, cardRequest });
  cards.set(cardRequest['token'], cardElement);
  return cardElement;
});

function renderCard(toolResult: JsonObject, { cardRequest, host }: ViewContext & { cardRequest: JsonObject }): Node {
  const statusLine = html('p', { role: 'status' });
  const buttons = html('div', { class: 'row answers' });
  const [summary = '', ...details] = String(toolResult['preview'] ?? '').split('\n\n');

  const setDisabled = (disabled: boolean) => {
    for (const element of buttons.querySelectorAll('button')) element.disabled = disabled;
  };
  const sendDecision = async (approved: boolean) => {
    setDisabled(true);
    statusLine.textContent = 'Working…';
    try {
      if (!host.callTool) throw new Error('The host offers no tools.');
      const result = await host.callTool(DECISION_TOOL, { ...cardRequest, approved });
      const data = isObject(result.structuredContent) ? result.structuredContent : {};
      const isDone = approved && result.isError !== true && data['done'] !== false;
      buttons.remove();
      statusLine.replaceChildren(
        isDone
          ? renderOutcome(data)
          : approved
            ? renderError(result.content?.[0]?.text, data)
            : 'Denied. Nothing was done, and the assistant can’t ask again for 10 minutes.',
      );
      const modelUpdate = isDone
        ? 'The user approved the action, and it was done.'
        : approved
          ? 'The user approved the action, but it failed or its outcome is unknown.'
          : 'The user denied the action. Nothing was done; do not try another way.';
      await host
        .updateModelContext?.(modelUpdate, { approved, ...(isDone ? { result: data } : {}) })
        .catch(() => undefined);
    } catch {
      setDisabled(false);
      statusLine.textContent = 'Your decision could not be sent. Try again, or answer in the chat.';
    }
  };
  buttons.append(
    button('Approve', () => void sendDecision(true), { class: 'main' }),
    button('Deny', () => void sendDecision(false)),
  );
  return html(
    'section',
    { class: 'ask' },
    html('h1', {}, 'Approve this action?'),
    html('p', { class: 'summary' }, summary),
    ...details.map((part) => html('pre', { tabindex: 0, role: 'region', 'aria-label': 'Request' }, part)),
    isObject(toolResult['about']) && renderDetails(toolResult['about']),
    buttons,
    statusLine,
  );
}

function renderDetails(item: JsonObject): Node {
  const rows = Object.entries(item).flatMap(([name, value]) =>
    value === null || value === undefined
      ? []
      : [
          html(
            'tr',
            {},
            html('th', { scope: 'row' }, toPlainLine(name)),
            html('td', {}, toPlainLine(typeof value === 'string' ? value : JSON.stringify(value))),
          ),
        ],
  );
  return html(
    'details',
    {},
    html('summary', {}, 'Details (from the service)'),
    html('table', {}, html('tbody', {}, ...rows)),
  );
}

/** Shows a result that no longer asks: an earlier decline, or a request that is decided elsewhere. */
function renderClosed(toolResult: JsonObject): Node {
  const isDeclined = toolResult['declined'] === true;
  return html(
    'p',
    { class: 'soft' },
    isDeclined ? 'Denied. Nothing was done.' : 'Nothing was done yet. See the chat for how to continue.',
  );
}

function renderOutcome(toolResult: JsonObject): Node {
  const name = toolResult['name'] ?? toolResult['id'];
  const status = toolResult['status'];
  const facts = [name, status].filter((part) => typeof part === 'string' || typeof part === 'number');
  return html('span', { class: 'done' }, ['Done', ...facts.map((part) => toPlainLine(String(part)))].join(' · '));
}

function renderError(text: string | undefined, data: JsonObject): Node {
  let message = data['next'];
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    if (isObject(parsed) && isObject(parsed['error'])) message = parsed['error']['message'];
  } catch {
    // Not an error of this server.
  }
  return html(
    'span',
    { class: 'bad' },
    typeof message === 'string' ? toPlainLine(message) : 'The action failed. See the chat for details.',
  );
}
