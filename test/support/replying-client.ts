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
  /** A string is sent unchanged, everything else as JSON. */
  readonly body?: unknown;
}

/** Creates a client whose transport returns these replies in order and repeats the last one; records its requests. */
export function createReplyingClient(
  replies: readonly Reply[],
  options: Partial<ClientOptions> = {},
): { readonly client: Client; readonly requests: TransportRequest[] } {
  const requests: TransportRequest[] = [];
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: createLimiter({ requests: 100_000 }),
    retry: { retries: 0 },
    transport: async (request) => {
      requests.push(request);
      const { status = 200, headers = {}, body = '' } = replies[Math.min(requests.length, replies.length) - 1] ?? {};
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { status, headers: { ...headers }, body: Readable.from([Buffer.from(text)]) };
    },
    ...options,
  });
  return { client, requests };
}
