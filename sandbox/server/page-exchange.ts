import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Hono } from 'hono';
import type { HttpResponse } from '../render/reply.ts';
import { type Env, type RouteDependencies, runRequest } from './exchange.ts';

/** What a person opens or sends; what a page loads and reports by itself would drown it. */
const LOGGED_PATHS = /^\/(l|p|v)\/[^/]+(\/leave)?$|^\/s\/[^/]+\/[^/]+$/;

/** Lets faults work on the pages of visitors, signers and recipients too, and writes down who opened them. */
export function addPageRequests(app: Hono<Env>, dependencies: RouteDependencies): void {
  for (const path of ['/l/*', '/v/*', '/s/*', '/p/*', '/thumbnails/*'])
    app.use(path, async (context, next) => {
      const { pathname } = new URL(context.req.url);
      const response = await runRequest(context, dependencies, {
        name: `${context.req.method} page`,
        path: pathname,
        isSilent: !LOGGED_PATHS.test(pathname),
        run: async () => {
          await next();
          return { response: await toHttpResponse(context.res) };
        },
      });
      // Two steps: the headers of a response that is replaced would be copied into the next one.
      context.res = undefined;
      context.res = response;
    });
}

/** A page is small and of unknown length; a file, which says its length, goes on as a stream. */
async function toHttpResponse(response: Response): Promise<HttpResponse> {
  const { status, headers, body } = response;
  // The same streams, declared once by the platform's types and once by Node's.
  const isFile = body !== null && headers.has('content-length');
  const bytes = isFile
    ? Readable.fromWeb(body as ReadableStream)
    : new Uint8Array(await response.arrayBuffer());
  return { status, headers: Object.fromEntries(headers), body: bytes };
}
