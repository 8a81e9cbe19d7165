import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { Rejection } from '../base/rejection.ts';
import { getRejectionStatus } from '../render/rejection-status.ts';
import type { Env } from '../server/exchange.ts';
import { isSameOrigin } from '../server/same-site.ts';
import type { Service } from '../state/service.ts';
import { SigningError } from '../state/signing.ts';
import { GateError, getOpenLink } from '../state/visiting.ts';
import { findVisitByToken } from '../state/visits.ts';
import { renderCardPage, renderMessagePage, sendPage } from './layout/page-layout.ts';

/** Adds the rules that hold for every page of visitors, signers and recipients. */
export function addGuards(app: Hono<Env>, service: Service): void {
  for (const path of ['/l/*', '/v/*', '/s/*', '/p/*'])
    app.use(path, async (context, next) => {
      const isRead = ['GET', 'HEAD'].includes(context.req.method);
      if (isRead || isSameOrigin(context.env.incoming.headers)) return next();
      const page = renderMessagePage(
        'Not sent',
        'This form was submitted from another website. Open the page and submit it there',
      );
      return sendPage(context, page, 403);
    });
  // When a link ends, so do the visits that used it, with everything they load.
  app.use('/v/:visit/*', async (context, next) => {
    const visit = findVisitByToken(service.state, context.req.param('visit'));
    if (!visit) return sendPage(context, renderMessagePage('Not found', 'This visit does not exist'), 404);
    getOpenLink(service, visit.link_id);
    return next();
  });
  app.onError((error, context) => {
    if (error instanceof GateError) return sendGateError(context, error);
    if (error instanceof SigningError)
      return sendPage(context, renderMessagePage('Action not available', error.message), 409);
    if (!(error instanceof Rejection)) throw error;
    const status = getRejectionStatus(error.reason, service.profile);
    const title = error.reason === 'unknownId' ? 'Not found' : 'Not sent';
    return sendPage(context, renderMessagePage(title, error.message.replace(/\.$/, '')), status as 400);
  });
}

const ERROR_TITLES: Partial<Record<GateError['reason'], string>> = {
  gone: 'Link not found',
  expired: 'Link expired',
  full: 'Link closed',
};

function sendGateError(context: Context, error: GateError): Promise<Response> {
  const page = renderCardPage({
    title: ERROR_TITLES[error.reason] ?? 'Not available',
    body: html`<p>${error.message}.</p><p class="muted">Ask the sender for a new link.</p>`,
  });
  return sendPage(context, page, error.reason === 'gone' ? 404 : 410);
}
