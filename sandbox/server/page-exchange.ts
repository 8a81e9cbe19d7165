import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Hono } from 'hono';
import type { HttpResponse } from '../render/http-response.ts';
import { type Env, type RouteDependencies, runRequest } from './exchange.ts';

/** Pages that a person opens or submits, not what pages load by themselves. */
const LOGGED_PATHS = /^\/(l|p|v)\/[^/]+(\/leave)?$|^\/s\/[^/]+\/[^/]+$/;

/** Applies faults to the public pages and logs who opened them. */
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
      // Two steps: Hono copies the headers of a response that is replaced.
      context.res = undefined;
      context.res = response;
    });
}

/** A page is small and has no length yet; a file, which has one, is streamed. */
async function toHttpResponse(response: Response): Promise<HttpResponse> {
  const { status, headers, body } = response;
  // The same streams, typed once by the platform and once by Node.
  const isFile = body !== null && headers.has('content-length');
  const bytes = isFile ? Readable.fromWeb(body as ReadableStream) : new Uint8Array(await response.arrayBuffer());
  // Without a listener, a file that is gone would end the process if the reader has disconnected.
  if (bytes instanceof Readable) bytes.on('error', () => undefined);
  return { status, headers: Object.fromEntries(headers), body: bytes };
}
