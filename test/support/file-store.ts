/** A service that returns the URL of a stored file, and a storage whose every response is defined by a test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openClientOf } from './listen.ts';

export const KEY = 'key_test_download_123456';

export interface StoreRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Number of requests to the storage, including this one. */
  readonly times: number;
  /** Start of the requested range; 0 without one. */
  readonly from: number;
}

export async function startFileStore(
  store: (asked: StoreRequest) => unknown,
  answer: (origin: string) => object = (origin) => ({ url: `${origin}/f?sig=s` }),
  /** Makes the service respond with the bytes themselves. */
  direct?: (response: ServerResponse, times: number) => void,
) {
  const ranges: (string | undefined)[] = [];
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/')) {
      asked += 1;
      if (direct) return direct(response, asked);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(origin)));
      return;
    }
    ranges.push(request.headers.range);
    const from = Number(request.headers.range?.match(/^bytes=(\d+)-$/)?.[1] ?? 0);
    store({ request, response, times: ranges.length, from });
  });
  const { origin, client } = await openClientOf(server, { apiKey: KEY, retry: { baseDelayMs: 5 } });
  return {
    ask: () => client.agreements.document({ id: 'agr_1' }),
    ranges,
    /** Number of requests to the service for the file. */
    asked: () => asked,
  };
}

/** Sends `bytes` from the requested position, as storages with ranges do. After `most` bytes, breaks the connection. */
export function serveRange(
  { response, from }: Pick<StoreRequest, 'response' | 'from'>,
  bytes: Uint8Array,
  { etag, most, headers = {} }: { etag?: string; most?: number; headers?: Record<string, string> } = {},
): void {
  const rest = bytes.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    'content-type': 'application/pdf',
    'content-length': rest.byteLength,
    ...(etag === undefined ? {} : { etag }),
    ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.byteLength - 1}/${bytes.byteLength}` } : {}),
    ...headers,
  });
  if (most === undefined || most >= rest.byteLength) response.end(rest);
  else response.write(rest.subarray(0, most), () => setTimeout(() => response.destroy(), 20));
}
