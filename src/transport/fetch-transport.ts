import { checkOptionNames } from '../option-names.ts';
import { createUnsentError, readBodyBytes, type Transport, type TransportRequest } from './transport.ts';

export interface FetchTransportOptions {
  /** Default: the global `fetch` at the time of each request, which tools such as MSW replace. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Larger bodies are streamed; some runtimes send streams without a length. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/**
 * Creates a transport over `fetch`, for Bun, Deno, edge runtimes, bundles and tests with MSW. The default transport is
 * better on Node.js: it knows more often that a failed write was not sent.
 */
export function createFetchTransport(options: FetchTransportOptions = {}): Transport {
  checkOptionNames('createFetchTransport', options, { fetch: true });
  return async (request) => {
    const { method, url, signal } = request;
    if (signal?.aborted) throw createUnsentError();
    const send = options.fetch ?? globalThis.fetch;
    const response = await send(url, {
      method,
      redirect: 'manual',
      ...(signal ? { signal } : {}),
      ...(await toHeadersAndBody(request)),
    });
    const body: AsyncIterable<Uint8Array> = response.body ?? (async function* () {})();
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  };
}

async function toHeadersAndBody(request: TransportRequest): Promise<Pick<RequestInit, 'headers' | 'body'>> {
  const { body, headers } = request;
  if (body === undefined) return { headers };
  const { 'content-length': length, ...otherHeaders } = headers;
  // `fetch` sets the length of a body that it knows.
  if (typeof body === 'string') return { headers: otherHeaders, body };
  if (body instanceof Uint8Array) return { headers: otherHeaders, body: new Uint8Array(body) };
  if (Number(length) <= MAX_BUFFERED_BYTES) {
    const { bytes } = await readBodyBytes(body, MAX_BUFFERED_BYTES);
    return { headers: otherHeaders, body: new Uint8Array(bytes) };
  }
  const iterator = body[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  // Required for streams; the types of `fetch` lack it.
  return Object.assign({ headers, body: stream }, { duplex: 'half' });
}
