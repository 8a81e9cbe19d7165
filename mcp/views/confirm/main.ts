/** View of a confirmation request: shows the action and leads to the page where the user decides. */
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import { CARD_REQUEST_KEY } from '../../confirm/card-request.ts';
import { button, html } from '../kit/element.ts';
import { toPlainLine } from '../kit/formatter.ts';
import { startView, type ViewContext } from '../kit/start-view.ts';

/** A call waits up to 20 s for the decision; after this many, the user continues by hand. */
const MAX_CALLS = 30;

/** Cards by question: hosts may deliver a result again, which must not ask again after a decision. */
const cards = new Map<unknown, Node>();

startView('confirm', (toolResult: JsonObject, viewContext: ViewContext) => {
  if (toolResult['done'] !== false) return renderOutcome(toolResult);
  const cardRequest = viewContext.meta[CARD_REQUEST_KEY];
  if (toolResult['outcome'] !== 'pending' || !isObject(cardRequest)) return renderClosed(toolResult);
  const card = cards.get(cardRequest['id']) ?? renderCard(toolResult, { ...viewContext, cardRequest });
  cards.set(cardRequest['id'], card);
  return card;
});

function renderCard(toolResult: JsonObject, { cardRequest, host }: ViewContext & { cardRequest: JsonObject }): Node {
  const statusLine = html('p', { role: 'status' });
  const url = toolResult['confirm_url'];
  const { callTool, openLink } = host;
  const [headline = '', ...details] = String(toolResult['preview'] ?? '').split(/\n(?=Request:|From the service:)/);

  const waitForDecision = async () => {
    if (!callTool) return;
    continueButton.disabled = true;
    statusLine.textContent = 'Waiting for your decision on the page…';
    try {
      for (let count = 0; count < MAX_CALLS; count++) {
        const result = await callTool(String(cardRequest['tool']), toArguments(cardRequest));
        const data = isObject(result.structuredContent) ? result.structuredContent : {};
        if (result.isError === true) return showEnd(renderError(result.content?.[0]?.text, data));
        if (data['done'] !== false) return showEnd(renderOutcome(data), data);
        if (data['outcome'] !== 'pending') return showEnd(renderClosed(data));
      }
      statusLine.textContent = 'There is no decision yet.';
    } catch {
      statusLine.textContent = 'The host did not answer. Try again, or continue in the chat.';
    }
    continueButton.disabled = false;
  };
  const showEnd = (node: Node, done?: JsonObject) => {
    buttons.remove();
    statusLine.replaceChildren(node);
    if (done) void host.updateModelContext?.('The user approved the action, and it was done.', { result: done });
  };
  const continueButton = button('I have decided', () => void waitForDecision());
  const reviewButton = button(
    'Review and decide',
    () => {
      void openLink?.(String(url)).catch(() => undefined);
      void waitForDecision();
    },
    { class: 'main' },
  );
  const buttons = html(
    'div.row.answers',
    openLink && typeof url === 'string' && reviewButton,
    callTool && continueButton,
  );
  return html(
    'section.ask',
    html('h1', 'Your approval is needed'),
    html('p.summary', headline),
    details.length > 0 &&
      html(
        'details',
        html('summary', 'Details'),
        ...details.map((part) => html('pre', { tabindex: 0, role: 'region', 'aria-label': 'Request' }, part)),
      ),
    html('p.soft', 'You approve or deny this on a page in your browser. Nothing happens before that.'),
    buttons,
    statusLine,
  );
}

function toArguments({ arguments: args }: JsonObject): JsonObject {
  return isObject(args) ? args : {};
}

/** Shows a result that no longer waits, such as a decline. */
function renderClosed(toolResult: JsonObject): Node {
  const isDeclined = toolResult['outcome'] === 'declined';
  return html(
    'section.ask',
    html('h1', isDeclined ? 'Denied' : 'Nothing was done yet'),
    html('p.soft', isDeclined ? 'Nothing was done.' : 'See the chat for how to continue.'),
  );
}

function renderOutcome(toolResult: JsonObject): Node {
  const name = toolResult['name'] ?? toolResult['id'];
  const status = toolResult['status'];
  const facts = [name, status].filter((part) => typeof part === 'string' || typeof part === 'number');
  return html('span.done', ['Done', ...facts.map((part) => toPlainLine(String(part)))].join(' · '));
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
    'span.bad',
    typeof message === 'string' ? toPlainLine(message) : 'The action failed. See the chat for details.',
  );
}
