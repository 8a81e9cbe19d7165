import { html } from 'hono/html';
import type { LinkRecord } from '../state/records.ts';
import type { GateError, GateInput } from '../state/visiting.ts';
import { type Markup, renderCardPage } from './layout/page-layout.ts';

export function hasGate(link: LinkRecord): boolean {
  return link.email_required || link.password !== null || link.nda_required;
}

/** Renders what a link requires before it opens. After an error, valid input stays filled in. */
export function renderGatePage(input: {
  title: string;
  link: LinkRecord;
  error?: GateError;
  gateInput?: GateInput;
}): Markup {
  const { title, link, error, gateInput = {} } = input;
  const getInvalidAttributes = (reason: GateError['reason']) =>
    error?.reason === reason ? html`aria-invalid="true" aria-describedby="problem" autofocus` : '';
  return renderCardPage({
    title,
    eyebrow: 'Shared with you',
    body: html`<p class="muted">Enter your details to view this document.</p>
${error ? html`<p class="problem" role="alert" id="problem">${error.message}.</p>` : ''}
<form method="post" class="stack">
${
  link.email_required
    ? html`<label for="email">Your email address</label>
<input id="email" type="email" name="email" autocomplete="email" required value="${gateInput.email ?? ''}" ${getInvalidAttributes('email')}>
<label for="name">Your name <span class="muted">(optional)</span></label>
<input id="name" name="name" autocomplete="name" maxlength="200" value="${gateInput.name ?? ''}">`
    : ''
}
${
  link.password === null
    ? ''
    : html`<label for="password">Password</label>
<input id="password" type="password" name="password" autocomplete="off" required ${getInvalidAttributes('password')}>`
}
${
  link.nda_required
    ? html`<section class="terms" aria-labelledby="nda-title"><h2 id="nda-title">Non-disclosure agreement</h2>
<p>This document is confidential. Use it only to assess what was shared with you, do not share it, and delete your copies on request.</p></section>
<label class="check"><input type="checkbox" name="nda" required ${gateInput.ndaAccepted ? 'checked' : ''} ${getInvalidAttributes('nda')}> I have read and accept the non-disclosure agreement</label>`
    : ''
}
<button class="primary">View document</button>
</form>
<p class="muted small">The owner can see who opened the document and how long each page was viewed.</p>`,
  });
}
