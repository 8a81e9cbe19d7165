import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createLimiter, defineClient, TimeoutError, type Transport } from '../../../src/index.ts';

const never = () => new Promise<never>(() => undefined);
const PDF = { 'content-type': 'application/pdf' };
const bytes = Buffer.from('%PDF-1.7');
const reason = new Error('enough');
const closed = { name: 'NetworkError', code: 'CLIENT_CLOSED' };

type Ways = 'in the response' | 'in a storage';
const WAYS: readonly Ways[] = ['in the response', 'in a storage'];

/** A client whose file is returned by the API or by a storage; `next` yields its bytes. */
function openOver(way: Ways, next: () => AsyncIterator<Uint8Array>, storage?: Transport) {
  const asked: Parameters<Transport>[0][] = [];
  const file = async () => ({ status: 200, headers: PDF, body: { [Symbol.asyncIterator]: next } });
  const address = { url: 'https://storage.test/1' };
  const transport: Transport = async (request) => {
    asked.push(request);
    if (request.url.startsWith('https://storage.test')) return (storage ?? file)(request);
    if (way === 'in the response') return file();
    const headers = { 'content-type': 'application/json' };
    return { status: 200, headers, body: Readable.from([Buffer.from(JSON.stringify(address))]) };
  };
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    transport,
    limiter: createLimiter(),
    retry: { baseDelayMs: 600_000, maxDelayMs: 600_000 },
  });
  return { client, asked };
}

/** Yields one chunk, then the result of `rest`. */
const begun = (rest: () => Promise<IteratorResult<Uint8Array>>) => () => {
  let given = false;
  const next = () => {
    if (given) return rest();
    given = true;
    return Promise.resolve({ done: false as const, value: bytes });
  };
  return { next };
};
const end = () => Promise.resolve({ done: true as const, value: undefined });

test.each(WAYS)('half a file %s is ended by close(), even if the transport ignores its signal', async (way) => {
  const { client } = openOver(way, begun(never));
  const read = async () => {
    const file = await (await client.agreements.document({ id: 'a' })).open();
    for await (const _ of file.bytes) await client.close();
  };
  await expect(read()).rejects.toMatchObject(closed);
});

test.each(WAYS)('a whole file %s is not ended by a later close()', async (way) => {
  const { client, asked } = openOver(way, begun(end));
  const file = await (await client.agreements.document({ id: 'a' })).open();
  for await (const _ of file.bytes);
  await client.close();
  expect(asked.map(({ signal }) => signal?.aborted)).not.toContain(true);
});

test('an aborted open() leaves the bytes to the next open(), or to close()', async () => {
  const { client, asked } = openOver('in the response', begun(never));
  const file = await client.agreements.document({ id: 'a' });
  await expect(file.open({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(asked[0]?.signal?.aborted).toBe(false);
  await client.close();
  expect(asked[0]?.signal?.aborted).toBe(true);
  const again = await openOver('in the response', begun(end)).client.agreements.document({ id: 'a' });
  await expect(again.open({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  for await (const chunk of (await again.open()).bytes) expect(chunk).toEqual(bytes);
});

test('a file that is opened after close() is not requested', async () => {
  const { client, asked } = openOver('in a storage', begun(end));
  const file = await client.agreements.document({ id: 'a' });
  await client.close();
  await expect(file.open()).rejects.toMatchObject(closed);
  expect(asked).toHaveLength(1);
});

test('a storage that does not respond in time rejects with a TimeoutError after one request', async () => {
  const { client, asked } = openOver('in a storage', begun(end), never);
  await expect((await client.agreements.document({ id: 'a' })).open({ timeoutMs: 20 })).rejects.toThrow(TimeoutError);
  expect(asked).toHaveLength(2);
  await client.close();
});

test("bytes of the API's response that nobody opens are released after a minute", async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { client, asked } = openOver('in the response', begun(never));
  await client.agreements.document({ id: 'a' });
  vi.advanceTimersByTime(59_000);
  expect(asked[0]?.signal?.aborted).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(asked[0]?.signal?.aborted).toBe(true);
  await client.close();
});

test("bytes of the API's response that are opened in time may take longer than the minute they are held", async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const slow = async () => {
    vi.advanceTimersByTime(59_000);
    return { done: false as const, value: bytes };
  };
  const { client } = openOver('in the response', begun(slow));
  const file = await (await client.agreements.document({ id: 'a' })).open();
  let chunks = 0;
  for await (const _ of file.bytes) if (++chunks === 4) break;
  expect(chunks).toBe(4);
  await client.close();
});
