import type { ClientOptions, TransportRequest } from '../../src/index.ts';
import { createReplyingClient } from './replying-client.ts';

export type Reply = readonly [status: number, body?: unknown, headers?: Record<string, string>];
type Answer = readonly Reply[] | ((request: TransportRequest) => Promise<Reply>);

export const MULTIPART = 'POST /documents';
export const START = 'POST /documents/uploads';
export const PUT = 'PUT /put';
export const FINALIZE = 'POST /documents/uploads/finalize';
export const SESSION = {
  uploadUrl: 'https://store.test/put',
  headers: { 'Content-Type': 'x' },
  storageKey: 'k',
  token: 't',
};

/** By default, uploads to the storage succeed. */
const DEFAULTS: Readonly<Record<string, Answer>> = {
  [START]: [[200, SESSION]],
  [PUT]: [[200]],
  [FINALIZE]: [[200, { id: 'd' }]],
};

/** A client that gets each route's replies in order, the last one repeatedly, or the reply of the route's function. */
export function createUploadClient(
  answers: Readonly<Record<string, Answer>> = {},
  options: Partial<ClientOptions> = {},
) {
  const routes: string[] = [];
  const count = (route: string) => routes.filter((one) => one === route).length;
  const reply = async (request: TransportRequest): Promise<Reply> => {
    const route = `${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`;
    routes.push(route);
    const answer = answers[route] ?? DEFAULTS[route] ?? [[404]];
    if (typeof answer === 'function') return answer(request);
    await readBody(request);
    return answer[Math.min(count(route), answer.length) - 1] ?? [404];
  };
  const { client, requests } = createReplyingClient(
    async (request) => {
      const [status, body = {}, headers = {}] = await reply(request);
      return { status, body, headers };
    },
    { retry: { retries: 1, baseDelayMs: 0 }, ...options },
  );
  return { client, requests, routes, count };
}

export async function readBody({ body }: TransportRequest): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  if (typeof body === 'object' && Symbol.asyncIterator in body) for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
