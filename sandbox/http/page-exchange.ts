import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Hono } from 'hono';
import { type Doors, type Env, runExchange } from './exchange.ts';
import type { Reply } from './reply.ts';

/** What a person opens or sends; what a page loads and reports by itself would drown it. */
const OPENED = /^\/(l|p|v)\/[^/]+(\/leave)?$|^\/s\/[^/]+\/[^/]+$/;

/** Lets faults work on the pages of visitors, signers and recipients too, and writes down who opened them. */
export function addPageExchange(app: Hono<Env>, doors: Doors): void {
  for (const path of ['/l/*', '/v/*', '/s/*', '/p/*', '/thumbnails/*'])
    app.use(path, async (context, next) => {
      const { pathname } = new URL(context.req.url);
      const sent = await runExchange(context, doors, {
        name: `${context.req.method} page`,
        path: pathname,
        isSilent: !OPENED.test(pathname),
        run: async () => {
          await next();
          return { answer: toReply(context.res) };
        },
      });
      // Two steps: the headers of a response that is replaced would be copied into the next one.
      context.res = undefined;
      context.res = sent;
    });
}

function toReply(response: Response): Reply {
  const { status, headers, body } = response;
  return {
    status,
    headers: Object.fromEntries(headers),
    // The same streams, declared once by the platform's types and once by Node's.
    body: body && Readable.fromWeb(body as ReadableStream),
  };
}
