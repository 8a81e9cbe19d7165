import { html } from 'hono/html';
import { SEARCH_FIELDS } from '../assumptions.ts';
import { formatArguments, quoteForPage } from '../result/quote.ts';
import { NOT_READY } from '../tool/headline.ts';
import type { ConfirmationRequest } from './confirmation-requests.ts';
import { renderKeyField, renderProblem } from './form-parts.ts';
import { FORM_SCRIPT } from './form-script.ts';
import { type Html, type HtmlPage, renderErrorPage } from './layout.ts';

/** A page has room for everything. */
const UNLIMITED = { lines: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY, quote: quoteForPage };

/** Secrets of the service, which nobody has to decide about. */
const REDACTED_VALUE = ': "[redacted]"';

/** The name is the app's own choice, so it stays on one short line. */
function toAppName(name = ''): string {
  return (
    name
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim()
      .slice(0, 60) || 'An app that uses your API key'
  );
}

/** Shows the complete action with buttons to approve or deny it. */
export function renderConfirmationPage(request: ConfirmationRequest, form: string): HtmlPage {
  const { workspace, notice, args, about, appName } = request;
  const headline = workspace === undefined ? request.headline : request.headline.slice(`${workspace}: `.length);
  const warning = headline.startsWith(NOT_READY) ? NOT_READY : '';
  const action = headline.slice(warning.length);
  const place = workspace === undefined ? '' : html`In the workspace <strong>${workspace}</strong>, `;
  const requestLines = formatArguments(args, UNLIMITED);
  const detailLines = (about ? formatArguments(about, UNLIMITED) : []).filter((line) => !line.endsWith(REDACTED_VALUE));
  return {
    title: 'Approve this action?',
    wide: true,
    script: FORM_SCRIPT,
    body: html`<h1>Approve this action?</h1>
<div class="act"><p>${warning}${place}<strong><bdi>${toAppName(appName)}</bdi></strong> wants to ${action.charAt(0).toLowerCase()}${action.slice(1)}</p>${notice === undefined ? '' : html`<p>${notice}</p>`}</div>
${requestLines.length === 0 ? '' : html`<h2>Request</h2>${renderValueList(requestLines)}`}
${
  detailLines.length === 0
    ? ''
    : html`<h2>Current state</h2>
<p class="muted small">As returned by Docshare. Other people may have written this text.</p>
${renderDetailList(detailLines)}`
}
<form method="post">
<input type="hidden" name="form" value="${form}">
<div class="actions"><button class="primary" name="decision" value="approve">Approve</button><button name="decision" value="deny">Deny</button></div>
</form>
<p class="foot small muted">Approval covers this action only. If you deny it, the app can’t ask again for 10 minutes, unless you change your mind.</p>`,
  };
}

const PRIMARY_FIELDS = new Set([...SEARCH_FIELDS, 'status', 'message', 'note']);

/** Shows names, addresses and statuses first and folds the rest, so that the buttons stay in reach. */
function renderDetailList(lines: readonly string[]): Html {
  const isPrimary = (line: string) =>
    PRIMARY_FIELDS.has(/(\w+?)(?:\[\d+\])?: /.exec(line)?.[1]?.split('_').at(-1) ?? '');
  const [first, rest] = [lines.filter(isPrimary), lines.filter((line) => !isPrimary(line))];
  if (first.length === 0 || rest.length === 0) return renderValueList(lines);
  return html`${renderValueList(first)}
<details><summary>More details</summary>${renderValueList(rest)}</details>`;
}

/** One left-to-right block per value, so that text in another script can't leave its line. */
function renderValueList(lines: readonly string[]): Html {
  return html`<ul class="values" dir="ltr">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

/** Asks for the key without showing the action: knowing the URL does not prove who opened it. */
export function renderConfirmKeyPage({ workspace }: { workspace?: string }, problem?: string): HtmlPage {
  return {
    title: 'Confirm it’s you',
    script: FORM_SCRIPT,
    body: html`<h1>Confirm it’s you</h1>
<p>An app asks for approval. You didn’t sign in with this browser, so enter the API key that the app uses${workspace === undefined ? '' : ' for the workspace that the chat names,'} to see the request.</p>
${renderProblem(problem)}
<form method="post">
${renderKeyField({ problem })}
<div class="actions"><button class="primary">Show request</button></div>
</form>
<p class="foot small muted">The key is compared and not stored. Nothing happens if you close this page.</p>`,
  };
}

/** @param form token of the form with which the person takes a decline back; undefined if this browser can't. */
export function renderDecisionPage(
  { decision, isUsed }: Pick<ConfirmationRequest, 'decision' | 'isUsed'>,
  form?: string,
): HtmlPage {
  const title = decision === 'declined' ? 'Denied' : 'Approved';
  const next = isUsed
    ? 'The app has used your approval. See the chat for the result.'
    : 'Return to the chat and tell the assistant to continue.';
  return {
    title,
    script: FORM_SCRIPT,
    body: html`<h1>${title}</h1>
<p>${decision === 'declined' ? 'This request changed nothing.' : next} You can close this page.</p>
${
  decision === 'declined' && form !== undefined
    ? html`<form method="post"><input type="hidden" name="form" value="${form}"><p>Changed your mind? <button name="decision" value="reconsider">Review the request again</button></p></form>`
    : ''
}`,
  };
}

export function renderRequestExpiredPage(): HtmlPage {
  return renderErrorPage({
    title: 'This request has expired',
    message: 'Requests expire after 10 minutes. If you didn’t approve this one, it changed nothing.',
    next: 'The assistant can ask again.',
  });
}
