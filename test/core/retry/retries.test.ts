import { createServer as createTcpServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, createLimiter, type RequestOptions, type RetryPolicy } from '../../../src/index.ts';
import { endWithTest } from '../../support/cleanup.ts';
import { listenForTest } from '../../support/listen.ts';
import { json, raw, type ScriptedAnswer, startScripted } from '../../support/scripted-service.ts';

const page = json({ data: [] });
const headers = (name: string, value: string) => ({ [name]: value });

test.each(['0', '-1', 'Thu, 01 Jan 1970 00:00:00 GMT', 'gibberish'])(
  'a 429 with Retry-After: %s is repeated after a backoff, not at once',
  async (value) => {
    const service = endWithTest(
      await startScripted([json({}, 429, headers('retry-after', value)), page], {
        retry: { baseDelayMs: 200, maxDelayMs: 200 },
      }),
    );
    await service.client.documents.list();
    const [first, second] = service.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(95);
  },
);

test('a Retry-After is awaited in full, whatever maxDelayMs is', async () => {
  const service = endWithTest(
    await startScripted([json({}, 503, headers('retry-after', '0.4')), page], {
      retry: { baseDelayMs: 1, maxDelayMs: 5 },
    }),
  );
  await service.client.documents.list();
  const [first, second] = service.requests;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(395);
});

test.each([429, 503])('a %s with a Retry-After beyond the deadline rejects with that time', async (status) => {
  const service = endWithTest(await startScripted([json({}, status, headers('retry-after', '86400'))]));
  const error = await service.client.documents.list().then(undefined, (thrown: unknown) => thrown);
  expect(error).toMatchObject({ status, retryAfterMs: 86_400_000 });
  expect(service.requests).toHaveLength(1);
});

test('during a requested pause of a day, calls without a maxWaitMs fail at once, queued ones too', async () => {
  const limiter = createLimiter({ requests: 1, windowMs: 4_000 });
  const service = endWithTest(await startScripted([json({}, 429, headers('retry-after', '86400')), page], { limiter }));
  const { client, requests } = service;
  const list = (options?: RequestOptions) =>
    client.documents.list({}, options).then(undefined, (error: unknown) => error);
  const answers = await Promise.all([list(), list(), list()]);
  const late = await list();
  for (const error of [...answers, late])
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfterMs: expect.closeTo(86_400_000, -5) });
  expect(await list({ deadlineMs: 60 })).toMatchObject({ name: 'TimeoutError' });
  expect(requests).toHaveLength(1);
});

test('every method is repeated after a 425, because it did not run', async () => {
  const service = endWithTest(await startScripted([json({}, 425), json({ id: 'x' })]));
  await service.client.agreements.send({ id: 'a' });
  expect(service.requests.map(({ line }) => line)).toEqual(Array(2).fill('POST /api/v1/agreements/a/send'));
});

test('a GET with a truncated body without a content length is repeated; a write is not', async () => {
  const cut = raw('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"id":"doc_1","na');
  const service = endWithTest(await startScripted([cut, json({ id: 'doc_1', name: 'whole' })]));
  expect(await service.client.documents.get({ id: 'doc_1' })).toMatchObject({ name: 'whole' });
  const writing = endWithTest(await startScripted([cut]));
  await writing.client.contacts.create({ name: 'A' }).catch(() => undefined);
  expect(writing.requests).toHaveLength(1);
});

test('a GET that is always cut off rejects with an error that says so', async () => {
  const service = endWithTest(await startScripted([raw('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n[{"id":')]));
  await expect(service.client.documents.get({ id: 'd' }, { retries: 1 })).rejects.toThrow('cut off');
  expect(service.requests).toHaveLength(2);
});

test.each([[[503, 404]], [[503, 410]], [[408, 404]], [[503, 429, 404]]])(
  'a DELETE that may have run and then gets %j has succeeded',
  async (statuses) => {
    const service = endWithTest(await startScripted(statuses.map((status) => json({}, status))));
    await expect(service.client.links.delete({ id: 'l1' })).resolves.toEqual({ id: 'l1' });
    expect(service.requests).toHaveLength(statuses.length);
  },
);

const reset: ScriptedAnswer = (request) => request.socket.destroy();

test("a call's own retries override the client's", async () => {
  const service = endWithTest(await startScripted([json({}, 503)]));
  const { client, requests } = service;
  await expect(client.documents.list({}, { retries: 0 })).rejects.toMatchObject({ status: 503 });
  expect(requests).toHaveLength(1);
  await expect(client.documents.list({}, { retries: 5 })).rejects.toMatchObject({ status: 503 });
  expect(requests).toHaveLength(7);
});

test('an undefined option counts as absent', async () => {
  const none = undefined;
  const service = endWithTest(
    await startScripted([json({}, 503), page], {
      retry: { retries: none, baseDelayMs: 1, maxDelayMs: none },
      ...{ timeoutMs: none, deadlineMs: none, maxWaitMs: none, hooks: none, logger: none, headers: none },
      ...{ transport: none, dispatcher: none, limitStore: none },
    }),
  );
  const options = { signal: none, timeoutMs: none, deadlineMs: none, maxWaitMs: none, retries: none };
  await service.client.documents.list({}, { ...options, priority: none, headers: none, onWait: none });
  expect(service.requests).toHaveLength(2);
});

test('an invalid retry policy is rejected by name', () => {
  const make = (retry: Partial<RetryPolicy>) => () =>
    createClient({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1/api/v1', retry });
  expect(make({ retries: Number.NaN })).toThrow('retry.retries must be 0 or more');
  expect(make({ baseDelayMs: -1 })).toThrow('retry.baseDelayMs');
});

/** A port that passes each connection to `take`. */
async function listenTcp(take: (socket: Socket) => void) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    take(socket);
  });
  const origin = await listenForTest(server);
  const client = createClient({
    apiKey: 'key',
    baseUrl: `${origin.replace('http:', 'https:')}/api/v1`,
    limiter: createLimiter({ requests: 10_000 }),
    retry: { baseDelayMs: 1 },
  });
  onTestFinished(() => client.close());
  return client;
}

test('a write over TLS that was never established is not sent, so its outcome is known', async () => {
  const broken = await listenTcp((socket) => socket.destroy());
  await expect(broken.agreements.send({ id: 'a' })).rejects.toMatchObject({ name: 'NetworkError' });
  const plain = await listenTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await expect(plain.agreements.send({ id: 'a' })).rejects.toMatchObject({ name: 'NetworkError' });
  const silent = await listenTcp(() => undefined);
  const late = silent.agreements.send({ id: 'a' }, { timeoutMs: 100, retries: 0 });
  await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a service that was reached and did not respond is not reported as unreachable', async () => {
  const silent = endWithTest(await startScripted([reset]));
  await expect(silent.client.documents.list({}, { retries: 0 })).rejects.toThrow(
    /no complete response from http:\/\/127\.0\.0\.1:\d+/,
  );
});
