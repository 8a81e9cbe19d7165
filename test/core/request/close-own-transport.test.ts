/** Closing a client with a custom transport while calls are running: each call rejects with the same code. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLimiter, defineClient, type Transport, type TransportResponse } from '../../../src/index.ts';
import { texts } from '../texts.ts';

const openOver = (transport: Transport) =>
  defineClient({ apiKey: 'key', baseUrl: 'https://docshare.test/api/v1', transport, limiter: createLimiter() });
const failureOf = (call: PromiseLike<unknown>) => Promise.resolve(call).then(String, (error: unknown) => error);
const never = () => new Promise<never>(() => undefined);

test('close() ends running calls even if the transport ignores its signal', async () => {
  const client = openOver(never);
  const calls = [client.links.list(), client.contacts.create({ email: 'a@example.com' })].map(failureOf);
  await new Promise(setImmediate);
  await client.close();
  expect(await Promise.all(calls)).toEqual([
    expect.objectContaining({ name: 'NetworkError', code: 'CLIENT_CLOSED' }),
    expect.objectContaining({
      name: 'UnknownOutcomeError',
      code: 'CLIENT_CLOSED',
      message: expect.stringContaining(texts.clientClosedBeforeResponse),
    }),
  ]);
});

test('a response that arrives after close() is released', async () => {
  const late = Promise.withResolvers<TransportResponse>();
  const client = openOver(() => late.promise);
  const call = failureOf(client.links.list());
  await new Promise(setImmediate);
  await client.close();
  await call;
  const body = Readable.from([Buffer.from('{}')]);
  late.resolve({ status: 200, headers: {}, body });
  await expect.poll(() => body.destroyed).toBe(true);
});

test('a write whose response is cut off by close() names close() as the cause', async () => {
  const body = { [Symbol.asyncIterator]: () => ({ next: never }) };
  const client = openOver(async () => ({ status: 201, headers: {}, body }));
  const call = failureOf(client.links.create({ document_id: 'd' }));
  await new Promise(setImmediate);
  await client.close();
  expect(await call).toMatchObject({
    name: 'UnexpectedResponseError',
    code: 'CLIENT_CLOSED',
    message: expect.stringMatching(/the call succeeded.*because the client was closed.*Don't repeat it/),
  });
});

test('a write that the transport reports as unsent does not have an unknown outcome', async () => {
  const unsent = Object.assign(new Error('still connecting'), { unsent: true });
  const client = openOver(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(unsent));
      }),
  );
  const call = failureOf(client.contacts.create({ email: 'a@example.com' }));
  await new Promise(setImmediate);
  await client.close();
  expect(await call).toMatchObject({
    name: 'NetworkError',
    code: 'CLIENT_CLOSED',
    message: expect.stringContaining('nothing was sent'),
  });
});

test('a write whose result is being fetched during close() has succeeded', async () => {
  const moved = { status: 303, headers: { location: '/api/v1/links/l1' }, body: Readable.from([]) };
  const client = openOver(async ({ method }) => (method === 'POST' ? moved : never()));
  const call = failureOf(client.links.create({ document_id: 'd' }));
  await new Promise(setImmediate);
  await client.close();
  expect(await call).toMatchObject({
    name: 'UnexpectedResponseError',
    code: 'CLIENT_CLOSED',
    message: expect.stringMatching(/the call succeeded.*was not read, because the client was closed/),
  });
});
