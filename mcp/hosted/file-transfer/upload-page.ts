import { extname } from 'node:path';
import { html } from 'hono/html';
import type { JsonObject } from '../../../src/records/fields.ts';
import { MAX_FILE_BYTES } from '../../files/file-access.ts';
import { type Html, type HtmlPage, renderErrorPage } from '../../pages/layout.ts';
import { quoteForPage } from '../../result/quote.ts';
import { UPLOAD_PAGE_SCRIPT } from './upload-page-script.ts';
import type { UploadTicket } from './upload-tickets.ts';

/** Shows the status of an upload, with a form while a file is still accepted. */
export function renderUploadPage(ticket: UploadTicket): HtmlPage {
  const { attempt } = ticket;
  const { size_bytes: sizeBytes } = attempt?.outcome ?? {};
  if (attempt?.phase === 'done')
    return {
      title: 'Upload complete',
      body: html`<h1 class="good">Upload complete${typeof sizeBytes === 'number' ? ` (${formatSize(sizeBytes)})` : ''}</h1>
<p>Return to the chat: the assistant can use the file now. You can close this page.</p>`,
    };
  if (attempt?.phase === 'unknown')
    return renderErrorPage({
      title: 'Upload not confirmed',
      message: 'The whole file was sent, but Docshare did not confirm that it was saved.',
      next: 'Return to the chat and let the assistant check the list of documents before you upload it again.',
    });
  if (attempt && attempt.phase !== 'failed') return renderUploadingPage(attempt);
  return renderUploadFormPage(ticket, attempt?.outcome);
}

function renderUploadingPage({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }): HtmlPage {
  return {
    title: 'Uploading…',
    body: html`<h1>Uploading…</h1>
<p><progress max="${totalBytes}" value="${sentBytes}" aria-label="Upload progress"></progress></p>
<p class="muted">${formatSize(sentBytes)} of ${formatSize(totalBytes)}. This page refreshes automatically.</p>`,
  };
}

function renderUploadFormPage(
  { workspace, name, documentId, replacement, sizeBytes, secondsLeft }: UploadTicket,
  failure: JsonObject | undefined,
): HtmlPage {
  const minutes = Math.max(1, Math.round(secondsLeft / 60));
  const extension = extname(name ?? '');
  return {
    title: 'Upload a file',
    script: UPLOAD_PAGE_SCRIPT,
    body: html`<h1>Upload a file</h1>
<p>An app that uses a Docshare API key asks you for a file. The file goes straight to Docshare and is not stored on this server.</p>
<dl class="facts">
${workspace === undefined ? '' : html`<div><dt>Workspace</dt><dd>${workspace}</dd></div>`}
${documentId === undefined ? html`<div><dt>Saved as</dt><dd>a new document</dd></div>` : html`<div><dt>Effect</dt><dd dir="ltr">${replacement?.text}</dd></div>`}
${name === undefined ? '' : html`<div><dt>Name</dt><dd dir="ltr">${quoteForPage(name)}</dd></div>`}
<div><dt>Size</dt><dd>${sizeBytes === undefined ? `up to ${Math.floor(MAX_FILE_BYTES / 1e9)} GB` : `exactly ${sizeBytes} bytes`}</dd></div>
<div><dt>Link expires</dt><dd>in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, or after one file</dd></div>
${documentId === undefined ? '' : html`<div><dt>Document ID</dt><dd dir="ltr">${quoteForPage(documentId)}</dd></div>`}
</dl>
${failure ? renderUploadFailedNotice(failure) : ''}
<noscript><p class="notice bad">Turn on JavaScript for this page to upload a file.</p></noscript>
<form id="upload">
<label class="drop">Drop a file here or browse<input type="file" name="file" required ${/^\.\w{1,8}$/.test(extension) ? html`accept="${extension}"` : ''}></label>
<p role="status" id="status" class="small muted"></p>
<progress max="1" value="0" hidden aria-label="Upload progress"></progress>
<div class="actions"><button class="primary">Upload</button></div>
</form>`,
  };
}

/** The service's own message is untrusted and therefore quoted below ours. */
function renderUploadFailedNotice({ message, service_message: serviceMessage }: JsonObject): Html {
  return html`<p class="notice bad" role="alert">Upload failed. ${String(message)}${
    typeof serviceMessage === 'string'
      ? html`<br><span class="small">Docshare’s message: <span dir="ltr">${quoteForPage(serviceMessage, 300)}</span></span>`
      : ''
  }</p>`;
}

export function formatSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** power;
  return `${power === 0 ? size : size.toFixed(1)} ${units[power]}`;
}
