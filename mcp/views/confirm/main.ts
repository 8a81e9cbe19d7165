/** The view of every act that asks first: what will happen, in large plain words, and the person's own buttons. */
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import { CARD_REQUEST_KEY, DECISION_TOOL } from '../../confirm/card-request.ts';
import { html } from '../kit/element.ts';
import { toPlainLine } from '../kit/formatter.ts';
import { startView, type ViewContext } from '../kit/start-view.ts';

/** Hosts may hand on an answer again: what was decided on is not asked anew. */
const cards = new Map<unknown, Node>();

startView('confirm', (toolResult: JsonObject, viewContext: ViewContext) => {
  const cardRequest = viewContext.meta[CARD_REQUEST_KEY];
  if (toolResult['done'] !== false) return renderOutcome(toolResult);
  if (!isObject(cardRequest)) return renderClosed(toolResult);
  const cardElement =
    cards.get(cardRequest['token']) ?? renderCard(toolResult, { ...viewContext, cardRequest });
  cards.set(cardRequest['token'], cardElement);
  return cardElement;
});

function renderCard(
  toolResult: JsonObject,
  { cardRequest, host }: ViewContext & { cardRequest: JsonObject },
): Node {
  const statusLine = html('p', { role: 'status' });
  const buttons = html('div', { class: 'row answers' });
  const [summary = '', ...details] = String(toolResult['preview'] ?? '').split('\n\n');

  const sendDecision = async (go: boolean) => {
    for (const button of buttons.querySelectorAll('button')) button.disabled = true;
    statusLine.textContent = go ? 'On its way…' : 'Telling the assistant…';
    try {
      if (!host.callTool) throw new Error('no tools');
      const result = await host.callTool(DECISION_TOOL, { ...cardRequest, go });
      const data = isObject(result.structuredContent) ? result.structuredContent : {};
      const isDone = go && result.isError !== true && data['done'] !== false;
      buttons.remove();
      statusLine.replaceChildren(
        isDone
          ? renderOutcome(data)
          : go
            ? renderError(result.content?.[0]?.text, data)
            : 'Nothing was done. The assistant may not try it again for ten minutes.',
      );
      const modelUpdate = isDone
        ? 'The person pressed "Do it", and it was done.'
        : go
          ? 'The person pressed "Do it", but it was not done, or not surely.'
          : 'The person pressed "Don’t": nothing was done, and it stays a no.';
      await host
        .updateModelContext?.(modelUpdate, { decided: go, ...(isDone ? { answer: data } : {}) })
        .catch(() => undefined);
    } catch {
      for (const button of buttons.querySelectorAll('button')) button.disabled = false;
      statusLine.textContent = 'The host did not pass your answer on. Try again, or say it in the chat.';
    }
  };
  buttons.append(
    html('button', { type: 'button', class: 'main', click: () => void sendDecision(true) }, 'Do it'),
    html('button', { type: 'button', click: () => void sendDecision(false) }, 'Don’t'),
  );
  return html(
    'section',
    { class: 'ask' },
    html('h1', {}, 'Shall this be done?'),
    html('p', { class: 'will' }, summary),
    ...details.map((part) =>
      html('pre', { tabindex: 0, role: 'region', 'aria-label': 'What is sent' }, part),
    ),
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
    html('summary', {}, 'What it is about, as the service describes it'),
    html('table', {}, html('tbody', {}, ...rows)),
  );
}

/** An answer that asks nothing more: a no that stands, or somebody asked elsewhere. */
function renderClosed(toolResult: JsonObject): Node {
  const isDeclined = toolResult['declined'] === true;
  return html(
    'p',
    { class: 'soft' },
    isDeclined ? 'This was refused, and nothing was done.' : 'Nothing was done. The chat says how to go on.',
  );
}

function renderOutcome(toolResult: JsonObject): Node {
  const name = toolResult['name'] ?? toolResult['id'];
  const status = toolResult['status'];
  const facts = [name, status].filter((part) => typeof part === 'string' || typeof part === 'number');
  return html(
    'span',
    { class: 'done' },
    ['Done', ...facts.map((part) => toPlainLine(String(part)))].join(' · '),
  );
}

function renderError(text: string | undefined, data: JsonObject): Node {
  let message = data['next'];
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    if (isObject(parsed) && isObject(parsed['error'])) message = parsed['error']['message'];
  } catch {
    // Only our own errors carry a sentence.
  }
  return html(
    'span',
    { class: 'bad' },
    typeof message === 'string' ? toPlainLine(message) : 'It was not done; the chat says why.',
  );
}
