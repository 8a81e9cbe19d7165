import { Hono } from 'hono';
import { parseDispositionFileName } from '../../../src/download/download-answer.ts';
import { faultPage, showPage } from '../pages/layout.ts';
import { isOwnForm } from '../visitor.ts';
import { readFormFile } from './form-file.ts';
import { closedHandOverPage, handOverPage } from './hand-over-page.ts';
import type { HandOvers } from './hand-overs.ts';
import { incomingBytes, type Patience, patienceFor } from './incoming.ts';
import type { Received, Receiver } from './receive.ts';

export interface HandOverPages {
  readonly handOvers: HandOvers;
  readonly receiver: Receiver;
  readonly publicUrl: string;
  readonly isEnded: (grant: string, apiKey: string) => Promise<boolean>;
  readonly patience?: (sizeBytes: number) => Patience;
}

/** An address that takes one file, at `/:token`: PUT by a program or by the page's script, or the page's plain form. */
export function createHandOverPages(deps: HandOverPages): Hono {
  const { handOvers, receiver, publicUrl, patience = patienceFor } = deps;
  const app = new Hono();

  app.get('/:token', async (context) => {
    const hand = await handOvers.find(context.req.param('token'));
    if (!hand || (await deps.isEnded(hand.grant, hand.apiKey)))
      return showPage(context, closedHandOverPage(), 404);
    if (hand.run?.phase === 'sending' || hand.run?.phase === 'registering') context.header('refresh', '2');
    return showPage(context, handOverPage(hand));
  });

  app.put('/:token', async (context) => {
    const { headers, body } = context.req.raw;
    // A program names no origin; a page of another site can't leave it out.
    if (!isOwnForm(context.req.raw, publicUrl)) return json(403, FOREIGN);
    const sizeBytes = getContentLength(headers);
    const received = await receiver.receive(context.req.param('token'), {
      lengthBytes: sizeBytes,
      read: async () => ({
        name:
          context.req.query('name') ??
          parseDispositionFileName(headers.get('content-disposition') ?? undefined),
        type: headers.get('content-type') ?? undefined,
        sizeBytes,
        bytes: incomingBytes(body, patience(sizeBytes ?? 0)),
      }),
    });
    return answerProgram(received);
  });

  app.post('/:token', async (context) => {
    const { headers, body } = context.req.raw;
    if (!isOwnForm(context.req.raw, publicUrl)) return showPage(context, FOREIGN_PAGE, 403);
    const lengthBytes = getContentLength(headers);
    const { kind } = await receiver.receive(context.req.param('token'), {
      lengthBytes,
      read: () =>
        readFormFile({
          contentType: headers.get('content-type') ?? '',
          lengthBytes: lengthBytes ?? 0,
          bytes: incomingBytes(body, patience(lengthBytes ?? 0)),
        }),
    });
    if (kind !== 'done') context.header('connection', 'close');
    if (kind === 'gone') return showPage(context, closedHandOverPage(), 404);
    if (kind === 'busy') return showPage(context, BUSY, 503);
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
function answerProgram(received: Received): Response {
  switch (received.kind) {
    case 'done': {
      const { size_bytes, sha256 } = received.answer;
      return json(201, { done: true, size_bytes, sha256 });
    }
    case 'failed':
      return json(STATUSES[String(received.failure['code'])] ?? 502, { error: received.failure });
    case 'taken':
      return json(409, {
        error: { code: 'taken', message: 'Another file came here before, or is on its way.' },
      });
    case 'busy':
      return json(503, {
        error: { code: 'busy', message: 'Too many files come in just now. Try again in a minute.' },
      });
    case 'gone':
      return json(404, {
        error: { code: 'gone', message: 'This address takes no file (any more). Ask for a new one.' },
      });
  }
}

const FOREIGN = {
  error: { code: 'foreign', message: 'Pages of other websites send nothing here. Open the address itself.' },
};

function json(status: number, body: object): Response {
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

const FOREIGN_PAGE = faultPage({
  title: 'Nothing was sent',
  message: 'This came from another website.',
  next: 'Open the address itself.',
});

const BUSY = faultPage({
  title: 'Too many files at once',
  message: 'Nothing was sent. Several files come in just now.',
  next: 'Go back, and send it again in a minute.',
});
