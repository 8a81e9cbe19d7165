import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '../http/exchange.ts';
import type { Service } from '../service.ts';
import { agreementFile } from '../state/agreement-file.ts';
import type { AgreementRecord, Recipient } from '../state/records.ts';
import { markSeen, SigningError, signAgreement } from '../state/signing.ts';
import { createDownloadAddress } from '../storage/addresses.ts';
import { documentPage, messagePage } from './document-page.ts';

/** The page on which a recipient reads an agreement and signs it. */
export function addSigningPages(app: Hono<Env>, service: Service): void {
  app.get('/s/:agreement/:recipient', async (context) => {
    const found = findRecipient(service, context.req.param());
    if (!found) return context.html(messagePage('Not found', 'This agreement does not exist'), 404);
    if (found.agreement.status === 'draft')
      return context.html(messagePage('Not sent yet', 'This agreement was not sent for signature yet'), 409);
    markSeen(service, found.agreement, found.recipient);
    return context.html(await signingPage(service, found));
  });

  app.post('/s/:agreement/:recipient', async (context) => {
    const found = findRecipient(service, context.req.param());
    if (!found) return context.html(messagePage('Not found', 'This agreement does not exist'), 404);
    const form = await context.req.parseBody();
    const name = typeof form['name'] === 'string' ? form['name'] : undefined;
    try {
      signAgreement(service, { agreementId: found.agreement.id, email: found.recipient.email, name });
    } catch (error) {
      if (error instanceof SigningError) return context.html(messagePage('Not possible', error.message), 409);
      throw error;
    }
    return context.redirect(new URL(context.req.url).pathname, 303);
  });
}

interface Found {
  readonly agreement: AgreementRecord;
  readonly recipient: Recipient;
}

function findRecipient(service: Service, params: { agreement: string; recipient: string }): Found | null {
  const agreement = service.state.agreements.get(params.agreement);
  const recipient = agreement?.recipients.find(({ id }) => id === params.recipient);
  return agreement && recipient ? { agreement, recipient } : null;
}

async function signingPage(service: Service, { agreement, recipient }: Found) {
  const file = createDownloadAddress(service, await agreementFile(service, agreement));
  return documentPage({
    title: agreement.name,
    body: html`<main><h1>${agreement.name}</h1>
${agreement.message ? html`<p>${agreement.message}</p>` : ''}
<p><a href="${file.url}">Read the document</a></p>
${
  recipient.signed_at === null
    ? html`<form method="post"><label>Your name<input name="name" autocomplete="name" value="${recipient.name}" required></label><button>Sign</button></form>`
    : html`<p role="status">Signed by ${recipient.signed_name} at ${new Date(recipient.signed_at).toISOString()}</p>`
}</main>`,
  });
}
