import type { Context, Hono } from 'hono';
import type { Env } from '../server/exchange.ts';
import { sendFile } from '../server/send-file.ts';
import type { AgreementRecord, RecipientRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { hasEnded, markViewed, signAgreement } from '../state/signing.ts';
import { getAgreementFile } from '../storage/agreement-file.ts';
import { openContent } from '../storage/content.ts';
import { isAutomatedRequest } from './automated-request.ts';
import { renderMessagePage, sendPage } from './layout/page-layout.ts';
import { readPageForm } from './read-form.ts';
import { getDocumentState, renderSigningPage, type SigningFormInput } from './signing-page.ts';

interface SigningRequest {
  readonly agreement: AgreementRecord;
  readonly recipient: RecipientRecord;
}

export function addSigningPages(app: Hono<Env>, service: Service): void {
  const findRequest = (context: Context): SigningRequest | null => {
    const agreement = service.state.agreements.get(context.req.param('agreement') ?? '');
    const recipient = agreement?.recipients.find(({ id }) => id === context.req.param('recipient'));
    return agreement && recipient && agreement.status !== 'draft' ? { agreement, recipient } : null;
  };

  async function renderPage(
    context: Context,
    request: SigningRequest,
    refused?: { error: string; typed: SigningFormInput },
  ): Promise<Response> {
    const file = await getAgreementFile(service, request.agreement);
    const { size } = await openContent(service, file.version.content);
    return sendPage(context, renderSigningPage({ ...request, ...refused, file, size }), refused ? 422 : 200);
  }

  app.get('/s/:agreement/:recipient', (context) => {
    const request = findRequest(context);
    if (!request) return sendNotFound(context, service);
    if (!isAutomatedRequest(context)) markViewed(service, request.agreement, request.recipient);
    return renderPage(context, request);
  });

  app.get('/s/:agreement/:recipient/file', async (context) => {
    const request = findRequest(context);
    if (!request) return context.text('This invitation does not exist.', 404);
    const file = await getAgreementFile(service, request.agreement);
    // The last signature replaces the file; ranges of two files must not be mixed.
    if (context.req.query('state') !== getDocumentState(request.agreement, file))
      return context.text('This file was signed or replaced. Reload this page.', 409);
    const download = context.req.query('download') !== undefined;
    return sendFile(context, { service, ...file, download });
  });

  app.post('/s/:agreement/:recipient', async (context) => {
    const request = findRequest(context);
    if (!request) return sendNotFound(context, service);
    const form = await readPageForm(context);
    const redirectBack = () => context.redirect(new URL(context.req.url).pathname, 303);
    // A second submission, and one that comes too late, shows what has become of the agreement.
    const { agreement, recipient } = request;
    if (recipient.signed_at !== null || hasEnded(agreement)) return redirectBack();
    const name = [...(form.get('name') ?? '').trim()].slice(0, 200).join('');
    const refuse = (error: string) =>
      renderPage(context, request, { error, typed: { name, hasConsent: form.get('consent') === 'on' } });
    if (name === '') return refuse('Type your full name to sign');
    // The script reports that the document was displayed; otherwise the signer ticks a box.
    if (form.get('seen') !== '1' && form.get('unseen') !== 'on')
      return refuse('This page has not displayed the whole document. Confirm below that you have read it');
    if (form.get('consent') !== 'on') return refuse('Agree to sign electronically to continue');
    signAgreement(service, { agreementId: request.agreement.id, email: request.recipient.email, name });
    return redirectBack();
  });
}

function sendNotFound(context: Context, service: Service): Response | Promise<Response> {
  const agreement = service.state.agreements.get(context.req.param('agreement') ?? '');
  if (agreement?.status === 'draft') {
    const page = renderMessagePage('Not sent yet', 'This agreement has not been sent for signature');
    return sendPage(context, page, 409);
  }
  const message = agreement
    ? 'You are not a signer of this agreement. Use the link from your own invitation'
    : 'This agreement does not exist';
  return sendPage(context, renderMessagePage('Not found', message), 404);
}
