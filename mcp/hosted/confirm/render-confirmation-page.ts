import { html } from 'hono/html';
import { SEARCH_FIELDS } from '../../assumptions.ts';
import { formatArguments } from '../../result/quote.ts';
import { errorPage, type Html, type HtmlPage } from '../pages/layout.ts';
import type { ConfirmationRequest } from './confirmation-requests.ts';

/** Everything, since a page has room; `quoted` keeps each value on its line and inside its marks. */
const UNLIMITED = { lines: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

/** What the assistant is about to do, whole, and the two buttons. */
export function renderConfirmationPage(
  { summary, args, about }: ConfirmationRequest,
  form: string,
): HtmlPage {
  const requestLines = formatArguments(args, UNLIMITED);
  const detailLines = about ? formatArguments(about, UNLIMITED) : [];
  return {
    title: 'May it do this?',
    wide: true,
    body: html`<p class="muted">An app that works with your key asks:</p>
<h1>May it do this?</h1>
<div class="act">${summary.split(/\n+/).map((line) => html`<p>${line}</p>`)}</div>
${requestLines.length === 0 ? '' : html`<h2>What it sends</h2>${valueList(requestLines)}`}
${
  detailLines.length === 0
    ? ''
    : html`<h2>What it is about</h2>
<p class="muted small">As the service describes it. Other people may have written these words.</p>
${detailList(detailLines)}`
}
<form method="post">
<input type="hidden" name="form" value="${form}">
<div class="actions"><button class="primary" name="decision" value="approve">Do it</button><button name="decision" value="deny">Don’t</button></div>
</form>
<p class="foot small muted">“Do it” is good for this one act, with exactly these values. “Don’t” stands for ten minutes, whatever the app tries.</p>`,
  };
}

/** Names, addresses and states first: the rest is there for who wants it, and keeps nobody from the buttons. */
function detailList(lines: readonly string[]): Html {
  const isPrimary = (line: string) =>
    PRIMARY_FIELDS.has(/(\w+?)(?:\[\d+\])?: /.exec(line)?.[1]?.split('_').at(-1) ?? '');
  const [first, rest] = [lines.filter(isPrimary), lines.filter((line) => !isPrimary(line))];
  if (first.length === 0 || rest.length === 0) return valueList(lines);
  return html`${valueList(first)}
<details><summary>Everything else that is known of it</summary>${valueList(rest)}</details>`;
}

const PRIMARY_FIELDS = new Set([...SEARCH_FIELDS, 'status', 'message', 'note']);

/** Each value is a block of its own, left to right: words in another script stay inside their line. */
function valueList(lines: readonly string[]): Html {
  return html`<ul class="values" dir="ltr">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

/** Shows nothing of the act: the address alone says nothing about who opened it. */
export function confirmKeyPage(problem?: string): HtmlPage {
  const alert = problem === undefined ? '' : html`<p class="notice bad" role="alert">${problem}</p>`;
  return {
    title: 'Is it you?',
    body: html`<h1>Is it you?</h1>
<p>An app asks whether it may do something. This is not the browser in which you signed it in, so give the key that it works with, and you see what it asks.</p>
${alert}
<form method="post">
<label for="api_key">Your API key</label>
<input class="secret" type="text" id="api_key" name="api_key" required maxlength="4096" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" data-1p-ignore data-lpignore="true">
<div class="actions"><button class="primary">Show</button></div>
</form>
<p class="foot small muted">The key is compared and forgotten. Nothing happens if you close this page.</p>`,
  };
}

export function decisionPage({
  decision,
  isUsed,
}: Pick<ConfirmationRequest, 'decision' | 'isUsed'>): HtmlPage {
  if (decision === 'no')
    return {
      title: 'You said no',
      body: html`<h1>You said no</h1>
<p>Nothing was done. It stays a no for ten minutes, whatever the app tries. You can close this page.</p>`,
    };
  return {
    title: 'You said yes',
    body: html`<h1>You said yes</h1>
${
  isUsed
    ? html`<p>The app has taken your yes: what came of it stands in the chat. You can close this page.</p>`
    : html`<p>Go back to the chat and tell the assistant to go on: its next call does it, once. You can close this page.</p>`
}`,
  };
}

export function requestExpiredPage(): HtmlPage {
  return {
    title: 'Closed',
    body: html`<h1>This question is closed</h1>
<p>It was asked more than ten minutes ago, or never. Nothing was done. If the assistant still wants it, it can ask again.</p>`,
  };
}

/** For a form that another website sent. */
export function crossSitePage(): HtmlPage {
  return errorPage({
    title: 'Nothing was done',
    message: 'This came from another website.',
    next: 'Open the address itself, and answer there.',
  });
}
