import type { Context, Hono } from 'hono';
import type { Env } from '../http/exchange.ts';
import type { Service } from '../service.ts';
import { agreementFile } from '../state/agreement-file.ts';
import type { AgreementRecord, Recipient } from '../state/records.ts';
import { markSeen, SigningError, signAgreement } from '../state/signing.ts';
import { openContent } from '../storage/content.ts';
import { sendFile } from '../storage/send-file.ts';
import { messagePage, sendPage } from './document-page.ts';
import { isQuiet } from './quiet.ts';
import { readPageForm } from './read-form.ts';
import { getFileState, signingPage } from './signing-page.ts';

interface Found {
  readonly agreement: AgreementRecord;
  readonly recipient: Recipient;
}

/** The page on which a recipient reads an agreement and signs it. */
export function addSigningPages(app: Hono<Env>, service: Service): void {
  const find = (context: Context): Found | null => {
    const agreement = service.state.agreements.get(context.req.param('agreement') ?? '');
    const recipient = agreement?.recipients.find(({ id }) => id === context.req.param('recipient'));
    return agreement && recipient && agreement.status !== 'draft' ? { agreement, recipient } : null;
  };

  async function show(context: Context, found: Found, problem?: string): Promise<Response> {
    const file = await agreementFile(service, found.agreement);
    const { size } = await openContent(service, file.version.content);
    return sendPage(context, signingPage({ ...found, file, size, problem }), problem ? 422 : 200);
  }

  app.get('/s/:agreement/:recipient', (context) => {
    const found = find(context);
    if (!found) return refuse(context, service);
    if (!isQuiet(context)) markSeen(service, found.agreement, found.recipient);
    return show(context, found);
  });

  app.get('/s/:agreement/:recipient/file', async (context) => {
    const found = find(context);
    if (!found) return context.text('this invitation does not exist', 404);
    const file = await agreementFile(service, found.agreement);
    // The last signature makes another file of it: parts of two must not be read as one.
    if (context.req.query('state') !== getFileState(found.agreement, file))
      return context.text('it was signed or replaced since: load this page again', 409);
    const download = context.req.query('download') !== undefined;
    return sendFile(context, { service, ...file, download });
  });

  app.post('/s/:agreement/:recipient', async (context) => {
    const found = find(context);
    if (!found) return refuse(context, service);
    const form = await readPageForm(context);
    const name = [...(form.get('name') ?? '').trim()].slice(0, 200).join('');
    if (name === '') return show(context, found, 'Type your full name to sign');
    // A script says that it was shown; who has none, or a file that can't be shown, says so with a tick.
    if (form.get('seen') !== '1' && form.get('unseen') !== 'on')
      return show(
        context,
        found,
        'This document was not shown to you here: say below that you read it otherwise',
      );
    if (form.get('consent') !== 'on') return show(context, found, 'Agree to sign electronically first');
    try {
      signAgreement(service, { agreementId: found.agreement.id, email: found.recipient.email, name });
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
      return sendPage(context, messagePage('Not possible', error.message), 409);
    }
    return context.redirect(new URL(context.req.url).pathname, 303);
  });
}

function refuse(context: Context, service: Service): Response | Promise<Response> {
  const agreement = service.state.agreements.get(context.req.param('agreement') ?? '');
  if (agreement?.status === 'draft') {
    const page = messagePage('Not sent yet', 'This agreement was not sent for signature yet');
    return sendPage(context, page, 409);
  }
  const sentence = agreement
    ? 'This agreement has no such signer: use the link of your own invitation'
    : 'This agreement does not exist';
  return sendPage(context, messagePage('Not found', sentence), 404);
}
