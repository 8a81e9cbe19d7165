/** View of a confirmation request: shows the action and leads to the page where the user decides. */
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import { CARD_REQUEST_KEY } from '../../confirm/card-request.ts';
import { button, html } from '../kit/element.ts';
import { toPlainLine } from '../kit/formatter.ts';
import { getStructuredContent, renderFailure, startView, type ViewContext } from '../kit/start-view.ts';

/** A call waits up to 20 s for the decision; after this many, the user continues by hand. */
const MAX_CALLS = 30;

/** Cards by question: hosts may deliver a result again, which must not ask again after a decision. */
const cards = new Map<unknown, Node>();

startView('confirm', (toolResult: JsonObject, viewContext: ViewContext) => {
  const cardRequest = viewContext.meta[CARD_REQUEST_KEY];
  if (!isPending(toolResult) || !isObject(cardRequest)) return renderEnd(toolResult);
  const card = cards.get(cardRequest['id']) ?? renderCard(toolResult, { ...viewContext, cardRequest });
  cards.set(cardRequest['id'], card);
  return card;
});

function isPending({ done, outcome }: JsonObject): boolean {
  return done === false && outcome === 'pending';
}

function renderCard(toolResult: JsonObject, viewContext: ViewContext & { cardRequest: JsonObject }): Node {
  const { cardRequest, host } = viewContext;
  const statusLine = html('p', { role: 'status' });
  const url = toolResult['confirm_url'];
  const { openLink, updateModelContext } = host;
  // Only the model can tell the user the result, such as the URL of a new link.
  const callTool = updateModelContext && host.callTool;
  const [headline = '', ...details] = String(toolResult['preview'] ?? '').split(/\n(?=Request:|From the service:)/);

  const waitForDecision = async () => {
    if (!callTool) return;
    continueButton.disabled = true;
    statusLine.textContent = 'Waiting for your decision on the page…';
    try {
      // A local server gives no URL: each call may open the browser, so the user starts each one.
      const maxCalls = url === undefined ? 1 : MAX_CALLS;
      for (let count = 0; count < maxCalls; count++) {
        const result = await callTool(String(cardRequest['tool']), toArguments(cardRequest));
        const data = getStructuredContent(result);
        if (!data) throw new Error('No result');
        if (!isPending(data)) {
          buttons.remove();
          statusLine.replaceChildren(result.isError === true ? renderFailure(data) : renderEnd(data));
          const text = `The confirmation card repeated the call, which returned: ${JSON.stringify(data)}`;
          return void updateModelContext(text, { result: data }).catch(() => undefined);
        }
        if (data['confirm_url'] !== url) return renew(data);
      }
      statusLine.textContent = 'There is no decision yet.';
    } catch {
      statusLine.textContent = 'The host did not answer. Try again, or continue in the chat.';
    }
    continueButton.disabled = false;
  };
  /** Leads to the page of a new question, because the old one has expired. */
  const renew = (data: JsonObject) => {
    const renewed = renderCard({ ...toolResult, ...data }, viewContext);
    cards.set(cardRequest['id'], renewed);
    card.replaceWith(renewed);
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
  const card = html(
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
  return card;
}

function toArguments({ arguments: args }: JsonObject): JsonObject {
  return isObject(args) ? args : {};
}

/** Shows a result that no longer waits. */
function renderEnd(toolResult: JsonObject): Node {
  const { done, outcome, approved_by: approvedBy } = toolResult;
  if (done !== false) return renderDone(toolResult);
  const [title, text] =
    outcome === 'declined'
      ? ['Denied', 'Nothing was done.']
      : approvedBy !== undefined || outcome === 'duplicate'
        ? ['Continue in the chat', 'See there what was done and what is left.']
        : ['Nothing was done yet', 'See the chat for how to continue.'];
  return html('section.ask', html('h1', title), html('p.soft', text));
}

function renderDone(toolResult: JsonObject): Node {
  const name = toolResult['name'] ?? toolResult['id'];
  const status = toolResult['status'];
  const facts = [name, status].filter((part) => typeof part === 'string' || typeof part === 'number');
  return html('span.done', ['Done', ...facts.map((part) => toPlainLine(String(part)))].join(' · '));
}
