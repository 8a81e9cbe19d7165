import { Readable } from 'node:stream';
import { type ClientOptions, createClient, type TransportRequest, type TransportResponse } from '../../src/index.ts';

export type Reply = readonly [status: number, body?: unknown, headers?: Record<string, string>];
type Answer = readonly Reply[] | ((request: TransportRequest) => Promise<TransportResponse>);

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

let clients = 0;

/**
 * A client whose transport returns each route's replies in order and repeats the last one, or calls the route's function.
 * By default uploads to the storage succeed.
 */
export function createUploadClient(
  answers: Readonly<Record<string, Answer>> = {},
  options: Partial<ClientOptions> = {},
) {
  const requests: TransportRequest[] = [];
  const routes: string[] = [];
  const defaults: Record<string, Answer> = {
    [START]: [[200, SESSION]],
    [PUT]: [[200]],
    [FINALIZE]: [[200, { id: 'd' }]],
  };
  const client = createClient({
    // Each client has its own key, because the pause after a 429 applies to all clients with the same key.
    apiKey: `upload-client-${++clients}`,
    baseUrl: 'https://docs.test/api/v1',
    retry: { retries: 1, baseDelayMs: 0 },
    transport: async (request) => {
      const route = `${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`;
      requests.push(request);
      routes.push(route);
      const answer = answers[route] ?? defaults[route] ?? [[404]];
      if (typeof answer === 'function') return answer(request);
      await readBody(request);
      const index = Math.min(routes.filter((one) => one === route).length, answer.length) - 1;
      const [status, body = {}, headers = {}] = answer[index] ?? [404];
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { status, headers, body: Readable.from([Buffer.from(text)]) };
    },
    ...options,
  });
  return { client, requests, routes, count: (route: string) => routes.filter((one) => one === route).length };
}

export async function readBody({ body }: TransportRequest): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  if (typeof body === 'object' && Symbol.asyncIterator in body) for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const failureOf = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );
