import { Hono } from 'hono';
import { parseDispositionFileName } from '../../../src/download/file-location.ts';
import { isSameOriginForm } from '../../pages/browser-session.ts';
import { renderLinkExpiredPage } from '../../pages/form-parts.ts';
import { sendPage } from '../../pages/layout.ts';
import type { UploadOutcome, UploadReceiver } from './receive-upload.ts';
import { renderUploadPage } from './upload-page.ts';
import { getStreamTimeouts, readRequestBytes, type StreamTimeouts } from './upload-stream.ts';
import type { UploadTickets } from './upload-tickets.ts';

interface UploadRoutesOptions {
  readonly uploadTickets: UploadTickets;
  readonly receiver: UploadReceiver;
  readonly publicUrl: string;
  readonly isRevoked: (grant: string, apiKey: string) => Promise<boolean>;
  readonly getTimeouts?: (sizeBytes: number) => StreamTimeouts;
}

/** Accepts one file at `/:token`, as a PUT from a program or from the script of the page. */
export function createUploadRoutes(deps: UploadRoutesOptions): Hono {
  const { uploadTickets, receiver, publicUrl, getTimeouts = getStreamTimeouts } = deps;
  const app = new Hono();

  app.get('/:token', async (context) => {
    const ticket = await uploadTickets.find(context.req.param('token'));
    if (!ticket || (await deps.isRevoked(ticket.grant, ticket.apiKey)))
      return sendPage(context, LINK_EXPIRED_PAGE, 404);
    if (ticket.attempt?.phase === 'sending' || ticket.attempt?.phase === 'registering') context.header('refresh', '2');
    return sendPage(context, renderUploadPage(ticket));
  });

  app.put('/:token', async (context) => {
    const { headers, body } = context.req.raw;
    // Programs send no origin; pages of other sites always do.
    if (!isSameOriginForm(context.req.raw, publicUrl))
      return createErrorResponse(
        403,
        'cross_site',
        'Requests from other websites are blocked. Open the link directly.',
      );
    const sizeBytes = getContentLength(headers);
    const outcome = await receiver.receive(context.req.param('token'), {
      name: context.req.query('name') ?? parseDispositionFileName(headers.get('content-disposition') ?? undefined),
      type: headers.get('content-type') ?? undefined,
      sizeBytes,
      bytes: readRequestBytes(body, getTimeouts(sizeBytes ?? 0)),
    });
    return toJsonResponse(outcome);
  });
  return app;
}

/** Length of the body, unless it is missing or an encoding changes it. */
function getContentLength(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  const encoding = headers.get('content-encoding') ?? 'identity';
  return length !== null && /^\d{1,15}$/.test(length) && encoding === 'identity' ? Number(length) : undefined;
}

const STATUSES: Readonly<Record<string, number>> = {
  no_length: 411,
  empty: 400,
  too_large: 413,
  wrong_size: 400,
  wrong_type: 415,
  file_not_allowed: 415,
  stalled: 408,
  cut_off: 400,
  interrupted: 409,
  changed: 409,
  gone: 404,
  not_audited: 503,
  rate_limited: 503,
};

/** JSON for programs. A rejection by the service itself becomes 502. */
function toJsonResponse(outcome: UploadOutcome): Response {
  switch (outcome.kind) {
    case 'done': {
      const { size_bytes, sha256 } = outcome.result;
      return createJsonResponse(201, { done: true, size_bytes, sha256 });
    }
    case 'failed':
      return createJsonResponse(STATUSES[String(outcome.failure['code'])] ?? 502, { error: outcome.failure });
    case 'taken':
      return createErrorResponse(409, 'already_used', 'A file was already uploaded here, or is being uploaded.');
    case 'busy':
      return createErrorResponse(
        503,
        'busy',
        'Too many uploads in progress. Your file was not sent; try again shortly.',
      );
    case 'gone':
      return createErrorResponse(404, 'gone', 'This link has expired or has already been used. Ask for a new one.');
  }
}

function createErrorResponse(status: number, code: string, message: string): Response {
  return createJsonResponse(status, { error: { code, message } });
}

function createJsonResponse(status: number, body: object): Response {
  return Response.json(body, {
    status,
    headers: {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(status === 503 ? { 'retry-after': '30' } : {}),
      // The rest of the file is not read, so the connection can't be reused.
      ...(status === 201 ? {} : { connection: 'close' }),
    },
  });
}

const LINK_EXPIRED_PAGE = renderLinkExpiredPage('Ask the assistant for a new one.');
