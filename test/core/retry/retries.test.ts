import { createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import {
  createClient,
  createLimiter,
  type Hooks,
  type RequestEndEvent,
  type RequestOptions,
  type RetryPolicy,
} from '../../../src/index.ts';
import { listenForTest } from '../../support/listen.ts';
import { json, openScripted, raw, type ScriptedAnswer } from '../../support/scripted-service.ts';

const page = json({ data: [] });
const headers = (name: string, value: string) => ({ [name]: value });

test.each(['0', '-1', 'Thu, 01 Jan 1970 00:00:00 GMT', 'gibberish'])(
  'a 429 with Retry-After: %s is repeated after a backoff, not at once',
  async (value) => {
    const service = await openScripted([json({}, 429, headers('retry-after', value)), page], {
      retry: { baseDelayMs: 200, maxDelayMs: 200 },
    });
    await service.client.documents.list();
    const [first, second] = service.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(95);
  },
);

test('a Retry-After is awaited in full, whatever maxDelayMs is', async () => {
  const service = await openScripted([json({}, 503, headers('retry-after', '0.4')), page], {
    retry: { baseDelayMs: 1, maxDelayMs: 5 },
  });
  await service.client.documents.list();
  const [first, second] = service.requests;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(395);
});

test.each([429, 503])('a %s with a Retry-After beyond the deadline rejects with that time', async (status) => {
  const service = await openScripted([json({}, status, headers('retry-after', '86400'))]);
  const error = await service.client.documents.list().then(undefined, (thrown: unknown) => thrown);
  expect(error).toMatchObject({ status, retryAfterMs: 86_400_000 });
  expect(service.requests).toHaveLength(1);
});

test('during a requested pause of a day, calls without a maxWaitMs fail at once, queued ones too', async () => {
  const limiter = createLimiter({ requests: 1, windowMs: 4_000 });
  const service = await openScripted([json({}, 429, headers('retry-after', '86400')), page], { limiter });
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
  const service = await openScripted([json({}, 425), json({ id: 'x' })]);
  await service.client.agreements.send({ id: 'a' });
  expect(service.requests.map(({ line }) => line)).toEqual(Array(2).fill('POST /api/v1/agreements/a/send'));
});

test('a GET with a truncated body without a content length is repeated; a write is not', async () => {
  const cut = raw('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"id":"doc_1","na');
  const service = await openScripted([cut, json({ id: 'doc_1', name: 'whole' })]);
  expect(await service.client.documents.get({ id: 'doc_1' })).toMatchObject({ name: 'whole' });
  const writing = await openScripted([cut]);
  await writing.client.contacts.create({ name: 'A' }).catch(() => undefined);
  expect(writing.requests).toHaveLength(1);
});

test('a GET that is always cut off rejects with an error that says so', async () => {
  const service = await openScripted([raw('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n[{"id":')]);
  await expect(service.client.documents.get({ id: 'd' }, { retries: 1 })).rejects.toThrow('cut off');
  expect(service.requests).toHaveLength(2);
});

test.each([[[503, 404]], [[503, 410]], [[408, 404]], [[503, 429, 404]]])(
  'a DELETE that may have run and then gets %j has succeeded',
  async (statuses) => {
    const service = await openScripted(statuses.map((status) => json({}, status)));
    await expect(service.client.links.delete({ id: 'l1' })).resolves.toEqual({ id: 'l1' });
    expect(service.requests).toHaveLength(statuses.length);
  },
);

const reset: ScriptedAnswer = (request) => request.socket.destroy();

test("a call's own retries override the client's", async () => {
  const service = await openScripted([json({}, 503)]);
  const { client, requests } = service;
  await expect(client.documents.list({}, { retries: 0 })).rejects.toMatchObject({ status: 503 });
  expect(requests).toHaveLength(1);
  await expect(client.documents.list({}, { retries: 5 })).rejects.toMatchObject({ status: 503 });
  expect(requests).toHaveLength(7);
});

test('an undefined option counts as absent', async () => {
  const none = undefined;
  const service = await openScripted([json({}, 503), page], {
    retry: { retries: none, baseDelayMs: 1, maxDelayMs: none },
    ...{ timeoutMs: none, deadlineMs: none, maxWaitMs: none, hooks: none, logger: none, headers: none },
    ...{ transport: none, dispatcher: none, limitStore: none },
  });
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
  const silent = await openScripted([reset]);
  await expect(silent.client.documents.list({}, { retries: 0 })).rejects.toThrow(
    /no complete response from http:\/\/127\.0\.0\.1:\d+/,
  );
});

const bytes = new Blob(['%PDF-1.7']);
const start = json({ uploadUrl: '/storage?sig=1', headers: { 'x-signed': '1' }, storageKey: 'k', token: 't' });
const busy = (after: string): ScriptedAnswer => json({}, 503, { 'retry-after': after });
const file: ScriptedAnswer = (_, response) =>
  void response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7');
const address = json({ url: '/stored/a.pdf?sig=1' });

test('a Retry-After of the storage is awaited in full, and then a new session starts', async () => {
  const service = await openScripted([start, busy('0.3'), start, json({}), json({ id: 'doc_1' })]);
  await service.client.upload(bytes, { via: 'direct', name: 'a.pdf' });
  expect(service.requests.map(({ line }) => line.replace('/api/v1', ''))).toEqual([
    ...['POST /documents/uploads', 'PUT /storage?sig=1'],
    ...['POST /documents/uploads', 'PUT /storage?sig=1'],
    'POST /documents/uploads/finalize',
  ]);
  expect((service.requests[2]?.at ?? 0) - (service.requests[1]?.at ?? 0)).toBeGreaterThan(295);
});

test.each([
  ['asks for a pause of a day', '86400', {}, { retryAfterMs: 86_400_000 }],
  ['fails an upload without retries', '0', { retries: 0 }, {}],
])('a storage that %s rejects at once, and the upload URL is used once', async (_, pause, options, time) => {
  const service = await openScripted([start, busy(pause)]);
  const input = { via: 'direct', name: 'a.pdf', ...options } as const;
  const error: unknown = await service.client.upload(bytes, input).catch((one) => one);
  expect(error).toMatchObject({ name: 'UploadError', status: 503, ...time });
  expect(service.requests).toHaveLength(2);
});

test('the download of a stored file waits, follows redirects and has events, never with the key', async () => {
  const ends: RequestEndEvent[] = [];
  const hooks: Hooks = { onRequestEnd: (end) => void ends.push(end) };
  const moved: ScriptedAnswer = (_, response) =>
    void response.writeHead(302, { location: '/elsewhere?token=hidden' }).end();
  const service = await openScripted([address, busy('0.3'), moved, file], { hooks });
  const download = await service.client.agreements.document({ id: 'a' });
  const { bytes: stored } = await download.open();
  expect(await text(stored)).toBe('%PDF-1.7');
  expect((service.requests[2]?.at ?? 0) - (service.requests[1]?.at ?? 0)).toBeGreaterThan(295);
  expect(service.requests.slice(1).map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(undefined));
  expect(ends.map(({ operation, attempt, hops, outcome }) => [operation, attempt, hops, outcome])).toEqual([
    ['agreements.document', 0, 0, 'succeeded'],
    ['storage.get', 0, 0, 'rejected'],
    ['storage.get', 1, 0, 'redirected'],
    ['storage.get', 1, 1, 'succeeded'],
  ]);
  expect(JSON.stringify(ends)).not.toMatch(/hidden|sig=1|key_live/);
});
