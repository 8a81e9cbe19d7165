import { Readable } from 'node:stream';
import {
  type Client,
  type ClientOptions,
  createLimiter,
  defineClient,
  type TransportRequest,
} from '../../src/index.ts';

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or stream is sent unchanged, everything else as JSON. */
  readonly body?: unknown;
}

type Replies = readonly Reply[] | ((request: TransportRequest, index: number) => Reply | Promise<Reply>);

/** A client whose transport gives these replies in order, then the last again, or a function's; records requests. */
export function createReplyingClient(
  replies: Replies,
  options: Partial<ClientOptions> = {},
): { readonly client: Client; readonly requests: TransportRequest[] } {
  const requests: TransportRequest[] = [];
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: createLimiter({ requests: 100_000 }),
    retry: { retries: 0 },
    transport: async (request) => {
      const index = requests.push(request) - 1;
      const reply =
        typeof replies === 'function' ? await replies(request, index) : replies[Math.min(index, replies.length - 1)];
      const { status = 200, headers = {}, body = '' } = reply ?? {};
      if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
        return { status, headers: { ...headers }, body: body as AsyncIterable<Uint8Array> };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { status, headers: { ...headers }, body: Readable.from([Buffer.from(text)]) };
    },
    ...options,
  });
  return { client, requests };
}
