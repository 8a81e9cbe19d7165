import { extname } from 'node:path';
import { html } from 'hono/html';
import type { JsonObject } from '../../../src/records/fields.ts';
import { MAX_FILE_BYTES } from '../../files/file-access.ts';
import { quoteText } from '../../result/quote.ts';
import { errorPage, type Html, type HtmlPage } from '../pages/layout.ts';
import { UPLOAD_PAGE_SCRIPT } from './upload-page-script.ts';
import type { UploadTicket } from './upload-tickets.ts';

/** How a hand-over stands, for a person; with a form where a file can still come. */
export function uploadPage(ticket: UploadTicket): HtmlPage {
  const { attempt } = ticket;
  if (attempt?.phase === 'done')
    return {
      title: 'Handed over',
      body: html`<h1>The file is there</h1>
<p class="good">It arrived whole${getSizeText(attempt.outcome)}.</p>
<p>Go back to the chat: the assistant can work with it now. You can close this page.</p>`,
    };
  if (attempt?.phase === 'unknown')
    return errorPage({
      title: 'It is not certain',
      message: 'The file was all there, but nobody can say whether the service registered it.',
      next: 'Go back to the chat and let the assistant look in the list of documents, before you hand it over again.',
    });
  if (attempt && attempt.phase !== 'failed') return uploadingPage(attempt);
  return uploadFormPage(ticket, attempt?.outcome);
}

function getSizeText(result: JsonObject | undefined): string {
  const { size_bytes } = result ?? {};
  return typeof size_bytes === 'number' ? `, ${formatSize(size_bytes)}` : '';
}

function uploadingPage({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }): HtmlPage {
  return {
    title: 'On its way',
    body: html`<h1>The file is on its way</h1>
<p><progress max="${totalBytes}" value="${sentBytes}"></progress></p>
<p class="muted">${formatSize(sentBytes)} of ${formatSize(totalBytes)}. This page looks again by itself.</p>`,
  };
}

function uploadFormPage(
  { name, documentId, sizeBytes, secondsLeft }: UploadTicket,
  failure: JsonObject | undefined,
): HtmlPage {
  const minutes = Math.max(1, Math.round(secondsLeft / 60));
  const extension = extname(name ?? '');
  return {
    title: 'Hand over a file',
    script: UPLOAD_PAGE_SCRIPT,
    body: html`<h1>Hand over a file</h1>
<p>An app that works with a Docshare key asks you for a file. It goes straight to Docshare and is not kept here.</p>
<dl class="facts">
<div><dt>Becomes</dt><dd>${documentId === undefined ? 'a new document' : html`a new version of document <span dir="ltr">${quoteText(documentId)}</span>`}</dd></div>
${name === undefined ? '' : html`<div><dt>Name</dt><dd dir="ltr">${quoteText(name)}</dd></div>`}
<div><dt>Size</dt><dd>${sizeBytes === undefined ? `up to ${formatSize(MAX_FILE_BYTES)}` : `exactly ${sizeBytes} bytes`}</dd></div>
<div><dt>Open for</dt><dd>${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}, one file</dd></div>
</dl>
${failure ? uploadFailedNotice(failure) : ''}
<form method="post" enctype="multipart/form-data" id="upload">
<label class="drop">Drop the file here, or choose it<input type="file" name="file" required ${/^\.\w{1,8}$/.test(extension) ? html`accept="${extension}"` : ''}></label>
<p role="status" id="status" class="small muted"></p>
<progress max="1" value="0" hidden aria-label="Sent so far"></progress>
<div class="actions"><button class="primary">Send</button></div>
</form>`,
  };
}

/** Ours first; what the service said about it is somebody else's words, and stands as such. */
function uploadFailedNotice({ message, service_message: serviceMessage }: JsonObject): Html {
  return html`<p class="notice bad" role="alert">The last file was not taken. ${String(message)}${
    typeof serviceMessage === 'string'
      ? html`<br><span class="small">The service said: <span dir="ltr">${quoteText(serviceMessage, 300)}</span></span>`
      : ''
  }</p>`;
}

export function uploadExpiredPage(): HtmlPage {
  return errorPage({
    title: 'This address has ended',
    message: 'It was good for one file, within ten minutes, or it never was an address of this server.',
    next: 'Ask the assistant for a new one.',
  });
}

export function formatSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** power;
  return `${power === 0 ? size : size.toFixed(1)} ${units[power]}`;
}
