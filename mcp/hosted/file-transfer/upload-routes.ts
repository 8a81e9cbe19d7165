import { Hono } from 'hono';
import { parseDispositionFileName } from '../../../src/download/file-location.ts';
import { isSameOriginForm } from '../browser-session.ts';
import { errorPage, showPage } from '../pages/layout.ts';
import { readFormFile } from './form-file.ts';
import type { UploadOutcome, UploadReceiver } from './receive-upload.ts';
import { uploadExpiredPage, uploadPage } from './upload-page.ts';
import { getStreamTimeouts, readRequestBytes, type StreamTimeouts } from './upload-stream.ts';
import type { UploadTickets } from './upload-tickets.ts';

export interface UploadRoutesOptions {
  readonly uploadTickets: UploadTickets;
  readonly receiver: UploadReceiver;
  readonly publicUrl: string;
  readonly isRevoked: (grant: string, apiKey: string) => Promise<boolean>;
  readonly getTimeouts?: (sizeBytes: number) => StreamTimeouts;
}

/** An address that takes one file, at `/:token`: PUT by a program or by the page's script, or the page's plain form. */
export function createUploadRoutes(deps: UploadRoutesOptions): Hono {
  const { uploadTickets, receiver, publicUrl, getTimeouts = getStreamTimeouts } = deps;
  const app = new Hono();

  app.get('/:token', async (context) => {
    const ticket = await uploadTickets.find(context.req.param('token'));
    if (!ticket || (await deps.isRevoked(ticket.grant, ticket.apiKey)))
      return showPage(context, uploadExpiredPage(), 404);
    if (ticket.attempt?.phase === 'sending' || ticket.attempt?.phase === 'registering')
      context.header('refresh', '2');
    return showPage(context, uploadPage(ticket));
  });

  app.put('/:token', async (context) => {
    const { headers, body } = context.req.raw;
    // A program names no origin; a page of another site can't leave it out.
    if (!isSameOriginForm(context.req.raw, publicUrl)) return jsonResponse(403, CROSS_SITE_ERROR);
    const sizeBytes = getContentLength(headers);
    const outcome = await receiver.receive(context.req.param('token'), {
      lengthBytes: sizeBytes,
      read: async () => ({
        name:
          context.req.query('name') ??
          parseDispositionFileName(headers.get('content-disposition') ?? undefined),
        type: headers.get('content-type') ?? undefined,
        sizeBytes,
        bytes: readRequestBytes(body, getTimeouts(sizeBytes ?? 0)),
      }),
    });
    return toJsonResponse(outcome);
  });

  app.post('/:token', async (context) => {
    const { headers, body } = context.req.raw;
    if (!isSameOriginForm(context.req.raw, publicUrl)) return showPage(context, CROSS_SITE_PAGE, 403);
    const lengthBytes = getContentLength(headers);
    const { kind } = await receiver.receive(context.req.param('token'), {
      lengthBytes,
      read: () =>
        readFormFile({
          contentType: headers.get('content-type') ?? '',
          lengthBytes: lengthBytes ?? 0,
          bytes: readRequestBytes(body, getTimeouts(lengthBytes ?? 0)),
        }),
    });
    if (kind !== 'done') context.header('connection', 'close');
    if (kind === 'gone') return showPage(context, uploadExpiredPage(), 404);
    if (kind === 'busy') return showPage(context, BUSY_PAGE, 503);
    // The page itself says how it went.
    return context.redirect(`${publicUrl}${new URL(context.req.url).pathname}`, 303);
  });
  return app;
}

/** Of the body, where the request says it and nothing changes it on the way. */
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
  stalled: 408,
  cut_off: 400,
  interrupted: 409,
  rate_limited: 503,
};

/** In JSON, for a program. What the service itself refused is a bad gateway. */
function toJsonResponse(outcome: UploadOutcome): Response {
  switch (outcome.kind) {
    case 'done': {
      const { size_bytes, sha256 } = outcome.result;
      return jsonResponse(201, { done: true, size_bytes, sha256 });
    }
    case 'failed':
      return jsonResponse(STATUSES[String(outcome.failure['code'])] ?? 502, { error: outcome.failure });
    case 'taken':
      return jsonResponse(409, {
        error: { code: 'already_used', message: 'Another file came here before, or is on its way.' },
      });
    case 'busy':
      return jsonResponse(503, {
        error: { code: 'busy', message: 'Too many files come in just now. Try again in a minute.' },
      });
    case 'gone':
      return jsonResponse(404, {
        error: { code: 'gone', message: 'This address takes no file (any more). Ask for a new one.' },
      });
  }
}

const CROSS_SITE_ERROR = {
  error: {
    code: 'cross_site',
    message: 'Pages of other websites send nothing here. Open the address itself.',
  },
};

function jsonResponse(status: number, body: object): Response {
  return Response.json(body, {
    status,
    headers: {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(status === 503 ? { 'retry-after': '30' } : {}),
      // What is left of the file is not read, so nothing else can come on this connection.
      ...(status === 201 ? {} : { connection: 'close' }),
    },
  });
}

const CROSS_SITE_PAGE = errorPage({
  title: 'Nothing was sent',
  message: 'This came from another website.',
  next: 'Open the address itself.',
});

const BUSY_PAGE = errorPage({
  title: 'Too many files at once',
  message: 'Nothing was sent. Several files come in just now.',
  next: 'Go back, and send it again in a minute.',
});
