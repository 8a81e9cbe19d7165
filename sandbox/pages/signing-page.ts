import { html } from 'hono/html';
import type { AgreementEnd, AgreementRecord, RecipientRecord } from '../state/records.ts';
import { type EndedAgreement, hasEnded } from '../state/signing.ts';
import type { FileView } from '../storage/stored-file.ts';
import {
  formatCount,
  type Markup,
  renderBrandBar,
  renderFooter,
  renderPageLayout,
  renderTime,
} from './layout/page-layout.ts';
import type { FileData } from './reader/previews-script.ts';
import { getPreviewType } from './reader/shared-content.ts';

/** Returns which file an agreement shows: its source, or the signed file after the last signature. */
export function getDocumentState(agreement: AgreementRecord, { version }: FileView): string {
  return `${version.version}-${agreement.signed_at ?? 'open'}`;
}

/** Entries of a form that was refused. */
export interface SigningFormInput {
  readonly name: string;
  readonly hasConsent: boolean;
}

export function renderSigningPage(input: {
  agreement: AgreementRecord;
  recipient: RecipientRecord;
  file: FileView;
  size: number;
  error?: string | undefined;
  typed?: SigningFormInput;
}): Markup {
  const { agreement, recipient, file } = input;
  const path = `/s/${encodeURIComponent(agreement.id)}/${encodeURIComponent(recipient.id)}/file`;
  const url = `${path}?state=${getDocumentState(agreement, file)}`;
  const downloadUrl = `${url}&download=1`;
  const ended = hasEnded(agreement) ? agreement : undefined;
  const data: FileData = {
    title: agreement.name,
    fileName: file.name,
    url,
    size: input.size,
    canDownload: true,
    contentType: getPreviewType(file),
  };
  const downloadLink = html`<a href="${downloadUrl}" download>Download ${agreement.status === 'signed' ? 'the signed document' : 'the document'}</a>`;
  return renderPageLayout({
    title: agreement.name,
    layout: 'sign',
    script: 'signing.js',
    body: html`${renderBrandBar({
      title: agreement.name,
      tools:
        recipient.signed_at !== null
          ? html`<span class="badge good">Signed</span>`
          : ended
            ? html`<span class="badge">${END_TITLES[ended.status]}</span>`
            : html`<a class="button primary" href="#sign">Go to signature</a>`,
    })}
<div class="signing">
<main id="sheets" aria-label="Document" data-file="${JSON.stringify(data)}">
<div class="sheet empty"><p id="opening">Loading…</p><noscript><p>JavaScript is off in this browser, so the pages can't be displayed. Read the file before you sign: ${downloadLink}.</p></noscript></div></main>
<aside aria-label="Signature">
${agreement.message ? html`<blockquote>${agreement.message}</blockquote>` : ''}
<h2>Signers</h2>
<ul class="people">${agreement.recipients.map((other) => renderSigner(other, other.id === recipient.id))}</ul>
${recipient.signed_at !== null ? renderDone(agreement, recipient) : ended ? '' : renderSignForm(input)}
${ended ? renderEnd(ended) : ''}
<p class="download">${downloadLink}</p>
</aside>
</div>
${renderFooter()}`,
  });
}

function renderSigner(recipient: RecipientRecord, isReader: boolean): Markup {
  const state =
    recipient.signed_at === null
      ? html`<span class="badge">${recipient.status === 'viewed' ? 'Viewed' : 'Waiting'}</span>`
      : html`<span class="badge good">Signed</span>`;
  return html`<li><span><strong><bdi>${recipient.name}</bdi></strong>${isReader ? ' (you)' : ''}<br><span class="muted"><bdi>${recipient.email}</bdi></span></span>${state}</li>`;
}

const END_TITLES: Readonly<Record<AgreementEnd, string>> = {
  declined: 'Declined',
  voided: 'Voided',
  expired: 'Expired',
};

function renderEnd({ status, updated_at }: EndedAgreement): Markup {
  return html`<section role="status"><h2>${END_TITLES[status]}</h2>
<p>This agreement ${status === 'expired' ? 'has' : 'was'} ${status} on ${renderTime(updated_at)}. It can no longer be signed. Ask the sender for a new one.</p></section>`;
}

function renderSignForm(input: {
  recipient: RecipientRecord;
  error?: string | undefined;
  typed?: SigningFormInput;
}): Markup {
  const { recipient, error, typed } = input;
  return html`<form method="post" class="stack" id="sign">
<h2>Your signature</h2>
${error ? html`<p class="problem" role="alert">${error}.</p>` : ''}
<label for="name">Type your full name</label>
<input id="name" class="signature" name="name" autocomplete="name" maxlength="200" placeholder="${recipient.name}" required value="${typed?.name ?? ''}">
<input type="hidden" name="seen">
<label class="check" id="unseen"><input type="checkbox" name="unseen" required> This page has not displayed the whole document. I have read all of it and want to sign it</label>
<label class="check"><input type="checkbox" name="consent" required ${typed?.hasConsent ? 'checked' : ''}> I agree to sign electronically. My typed name is my signature</label>
<button class="primary">Sign</button>
<p role="status" class="muted"></p>
</form>`;
}

function renderDone(agreement: AgreementRecord, recipient: RecipientRecord): Markup {
  const remaining = agreement.recipients.filter(({ signed_at }) => signed_at === null).length;
  return html`<section class="done" role="status"><h2>You have signed</h2>
<p class="signature"><bdi>${recipient.signed_name}</bdi></p>
<p class="muted">Signed by <bdi>${recipient.signed_name}</bdi>, ${renderTime(recipient.signed_at ?? 0)}</p>
<p>${remaining === 0 ? 'Everyone has signed. The agreement is complete.' : `Waiting for ${formatCount(remaining, 'more signature')}.`}</p></section>`;
}
