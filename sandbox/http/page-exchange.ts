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
          return { answer: await toReply(context.res) };
        },
      });
      // Two steps: the headers of a response that is replaced would be copied into the next one.
      context.res = undefined;
      context.res = sent;
    });
}

/** A page is small and of unknown length; a file, which says its length, goes on as a stream. */
async function toReply(response: Response): Promise<Reply> {
  const { status, headers, body } = response;
  // The same streams, declared once by the platform's types and once by Node's.
  const isFile = body !== null && headers.has('content-length');
  const bytes = isFile
    ? Readable.fromWeb(body as ReadableStream)
    : new Uint8Array(await response.arrayBuffer());
  return { status, headers: Object.fromEntries(headers), body: bytes };
}
