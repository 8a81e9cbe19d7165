/** What an upload makes of its storage: one that falls silent behind its answer, breaks off, or can't be sent to. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createClient, type Hooks, type TransportRequest, type TransportResponse } from '../../../src/index.ts';
import { texts } from '../texts.ts';

type Answer = (request: TransportRequest) => Promise<TransportResponse>;
let clients = 0;

/** A service whose storage answers so; all that was asked, in order. */
function serve(store: Answer, more: { lifetimeMs?: number; hooks?: Hooks } = {}) {
  const asked: string[] = [];
  const session = { uploadUrl: 'https://store.test/put', headers: {}, storageKey: 'k', token: 't' };
  const transport: Answer = async (request) => {
    const route = `${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`;
    asked.push(route);
    if (route.startsWith('PUT')) return store(request);
    const answer = route.endsWith('/uploads') ? session : { id: 'd' };
    return { status: 200, headers: {}, body: Readable.from([Buffer.from(JSON.stringify(answer))]) };
  };
  const client = createClient({
    apiKey: `upload-storage-${++clients}`,
    baseUrl: 'https://docs.test/api/v1',
    transport,
    retry: { retries: 1, baseDelayMs: 0 },
    ...more,
  });
  return { client, asked };
}

const START = 'POST /documents/uploads';
const PUT = 'PUT /put';
const FINALIZE = 'POST /documents/uploads/finalize';
const file = new Blob(['%PDF'], { type: 'application/pdf' });

async function takeAll({ body }: TransportRequest) {
  if (typeof body === 'object' && Symbol.asyncIterator in body) for await (const _ of body);
}
const never = () => new Promise<never>(() => undefined);

test.each([
  ['never end', never],
  ['break off', () => Promise.reject(new Error('reset'))],
])('bytes that were taken are registered, though the words about it %s', async (_, next) => {
  const { client, asked } = serve(async (request) => {
    await takeAll(request);
    return { status: 200, headers: {}, body: { [Symbol.asyncIterator]: () => ({ next }) } };
  });
  const done = await client.upload(file, { via: 'direct', timeoutMs: 20 });
  expect([done.id, asked]).toEqual(['d', [START, PUT, FINALIZE]]);
});

test.each([
  ['UND_ERR_INVALID_ARG', texts.requiresHeadersThatCanNot, 1],
  ['ERR_INVALID_CHAR', texts.requiresHeadersThatCanNot, 1],
  ['ECONNREFUSED', texts.couldNotBeReached, 2],
])('a storage that fails with %s %s, and is asked %i times', async (code, said, times) => {
  const { client, asked } = serve(() => Promise.reject(Object.assign(new Error('no'), { code })));
  await expect(client.upload(file, { via: 'direct' })).rejects.toThrow(`The storage ${said} (${code})`);
  expect(asked.filter((route) => route === PUT)).toHaveLength(times);
});

// A storage that rejects may close the connection before its response is read, so the next attempt starts soon.
test.each([
  ['EPIPE', 'a part', 50],
  ['ECONNRESET', 'a part', 50],
  ['ECONNRESET', 'all', 0],
  ['ETIMEDOUT', 'a part', 0],
])(
  'after %s, when the storage has read %s of the bytes, the next attempt starts in %i ms',
  async (code, taken, waitMs) => {
    const waits: number[] = [];
    const { client } = serve(
      async (request) => {
        if (taken === 'all') await takeAll(request);
        else for await (const _ of request.body as AsyncIterable<Uint8Array>) break;
        throw Object.assign(new Error('no'), { code });
      },
      { hooks: { onRetry: (retry) => void waits.push(retry.waitMs) } },
    );
    await expect(client.upload(new Blob([Buffer.alloc(300_000)]), { via: 'direct' })).rejects.toThrow(code);
    expect(waits).toEqual([waitMs]);
  },
);

test('a caller who gives up hears his own reason, whatever his stream says to that', async () => {
  const control = new AbortController();
  async function* stream() {
    yield Buffer.from('%PDF');
    control.abort('enough');
    throw new Error('the stream was ended');
  }
  const { client } = serve(async (request) => {
    await takeAll(request);
    return never();
  });
  const upload = client.upload(stream(), { via: 'direct', sizeBytes: 9, signal: control.signal });
  await expect(upload).rejects.toBe('enough');
});

test('a storage that never answers ends with the time of the client', async () => {
  const { client, asked } = serve(never, { lifetimeMs: 30 });
  await expect(client.upload(file, { via: 'direct' })).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(asked).toEqual([START, PUT]);
});

test('each head that the service sends is told, by either way', async () => {
  for (const [via, heads] of [
    ['multipart', 1],
    ['direct', 2],
  ] as const) {
    const seen: number[] = [];
    const { client } = serve(async (request) => {
      await takeAll(request);
      return { status: 200, headers: {}, body: Readable.from([]) };
    });
    await client.upload(file, { via, onResponse: ({ status }) => void seen.push(status) });
    expect(seen).toEqual(Array.from({ length: heads }, () => 200));
  }
});
