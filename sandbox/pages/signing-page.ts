import { html } from 'hono/html';
import type { AgreementRecord, Recipient } from '../state/records.ts';
import { documentPage, footer, type Markup, timeTag } from './document-page.ts';

/** More pages than these are read in the file itself. */
const SHOWN_PAGES = 20;

/** The agreement, who signs it and where it stands, and the signature of the one who looks at it. */
export function signingPage(input: {
  agreement: AgreementRecord;
  recipient: Recipient;
  pages: number;
  downloadUrl: string;
  problem?: string | undefined;
}): Markup {
  const { agreement, recipient, downloadUrl } = input;
  return documentPage({
    title: agreement.name,
    layout: 'reader',
    body: html`<header class="bar"><h1>${agreement.name}</h1>
${recipient.signed_at === null ? html`<a class="button primary" href="#sign">Go to signature</a>` : html`<span class="badge good">Signed</span>`}</header>
<div class="signing">
<main>${sheets(input)}</main>
<aside aria-label="Signature">
${agreement.message ? html`<blockquote>${agreement.message}</blockquote>` : ''}
<h2>Who signs</h2>
<ul class="people">${agreement.recipients.map((person) => signer(person, person.id === recipient.id))}</ul>
${recipient.signed_at === null ? signForm(input) : done(agreement, recipient)}
<p class="download"><a href="${downloadUrl}" download>Download ${agreement.status === 'signed' ? 'the signed document' : 'the document'}</a></p>
</aside>
</div>
${footer()}`,
  });
}

function sheets(input: { agreement: AgreementRecord; recipient: Recipient; pages: number }): Markup {
  const { agreement, recipient, pages } = input;
  const path = `/s/${encodeURIComponent(agreement.id)}/${encodeURIComponent(recipient.id)}/pages`;
  // After the last signature the same addresses show another file.
  const state = agreement.signed_at === null ? '' : `?signed=${agreement.signed_at}`;
  const shown = Array.from({ length: Math.min(pages, SHOWN_PAGES) }, (_, index) => index + 1);
  if (shown.length === 0)
    return html`<div class="sheet empty"><p>This file can't be shown page by page. Download it to read it.</p></div>`;
  return html`${shown.map(
    (page) =>
      html`<img class="sheet" width="595" height="842" loading="lazy" src="${path}/${page}.svg${state}" alt="Page ${page} of ${pages}">`,
  )}${pages > SHOWN_PAGES ? html`<p class="muted">The remaining ${pages - SHOWN_PAGES} pages are in the file.</p>` : ''}`;
}

function signer(person: Recipient, isReader: boolean): Markup {
  const state =
    person.signed_at === null
      ? html`<span class="badge">${person.status === 'viewed' ? 'has seen it' : 'to sign'}</span>`
      : html`<span class="badge good">signed</span>`;
  return html`<li><span><strong>${person.name}</strong>${isReader ? ' (you)' : ''}<br><span class="muted">${person.email}</span></span>${state}</li>`;
}

function signForm({ recipient, problem }: { recipient: Recipient; problem?: string | undefined }): Markup {
  return html`<form method="post" class="stack" id="sign">
<h2>Your signature</h2>
${problem ? html`<p class="problem" role="alert">${problem}.</p>` : ''}
<label for="name">Type your full name</label>
<input id="name" class="signature" name="name" autocomplete="name" maxlength="200" placeholder="${recipient.name}" required>
<label class="check"><input type="checkbox" name="consent" required> I agree to sign electronically; my typed name is my signature</label>
<button class="primary">Sign</button>
</form>`;
}

function done(agreement: AgreementRecord, recipient: Recipient): Markup {
  const left = agreement.recipients.filter(({ signed_at }) => signed_at === null).length;
  return html`<section class="done" role="status"><h2>You have signed</h2>
<p class="signature">${recipient.signed_name}</p>
<p class="muted">Signed by ${recipient.signed_name}, ${timeTag(recipient.signed_at ?? 0)} UTC</p>
<p>${left === 0 ? 'Everyone has signed: the agreement is complete.' : left === 1 ? 'One more signature is awaited.' : `${left} more signatures are awaited.`}</p></section>`;
}
