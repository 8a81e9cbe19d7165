import { afterAll, expect, test } from 'vitest';
import {
  ApiError,
  type CreateClientOptions,
  createLimiter,
  RateLimitError,
  TimeoutError,
  UnexpectedResponseError,
  UnknownOutcomeError,
} from '../../../src/index.ts';
import { failureOf } from '../../support/failure-of.ts';
import { json, type ScriptedAnswer, type ScriptedService, startScripted } from '../../support/scripted-service.ts';
import { texts } from '../texts.ts';

const services: ScriptedService[] = [];
afterAll(async () => {
  for (const service of services) await service[Symbol.asyncDispose]();
});

async function serve(answers: readonly ScriptedAnswer[], options: CreateClientOptions = {}) {
  const service = await startScripted(answers, { apiKey: 'key', ...options });
  services.push(service);
  return service;
}

const text =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): ScriptedAnswer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);
const hang: ScriptedAnswer = () => undefined;

test.concurrent('an attempt that times out is repeated for a read; the outcome of a write is unknown', async ({
  expect,
}) => {
  const { client, requests } = await serve([hang, json({ data: [] }), hang], { timeoutMs: 1000 });
  expect((await client.documents.list()).items).toEqual([]);
  expect(await failureOf(client.links.create({ document_id: 'd' }))).toBeInstanceOf(UnknownOutcomeError);
  expect(requests.map(({ line }) => line)).toEqual([
    'GET /api/v1/documents',
    'GET /api/v1/documents',
    'POST /api/v1/links',
  ]);
});

test.concurrent('one deadline ends all attempts, and the outcome of a running write is unknown', async ({ expect }) => {
  const { client } = await serve([hang], { deadlineMs: 1000, timeoutMs: 400 });
  const from = Date.now();
  expect(await failureOf(client.documents.list())).toBeInstanceOf(TimeoutError);
  expect(await failureOf(client.links.create({ document_id: 'd' }, { timeoutMs: 60_000 }))).toBeInstanceOf(
    UnknownOutcomeError,
  );
  // The deadline ended it, not the timeout of the attempt.
  expect(Date.now() - from).toBeLessThan(60_000);
});

test('a deadline that passes in the queue rejects with a TimeoutError, and nothing is sent', async () => {
  const { client, requests } = await serve([json([])], { limiter: createLimiter({ requests: 1, windowMs: 60_000 }) });
  await client.documents.list();
  expect(await failureOf(client.documents.list({}, { deadlineMs: 50 }))).toBeInstanceOf(TimeoutError);
  expect(requests).toHaveLength(1);
});

test('a wait longer than allowed rejects with a RateLimitError with the time until a retry', async () => {
  const { client } = await serve([json([])], { limiter: createLimiter({ requests: 1, windowMs: 60_000 }) });
  await client.documents.list();
  const error = await failureOf(client.documents.list({}, { maxWaitMs: 1000 }));
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({
    retryAfterMs: expect.closeTo(60_000, -4),
    status: 429,
    message: expect.stringMatching(
      /^documents\.list: not sent, because the rate limit of 120 requests per minute is reached.*\d+ s/,
    ),
  });
});

test.each(['before the response', 'inside the body', 'between attempts'])(
  "an abort %s rejects with the caller's own reason at once",
  async (place) => {
    const slowBody: ScriptedAnswer = (_, response) => void response.writeHead(200).write('{"da');
    const { client } = await serve(
      [place === 'inside the body' ? slowBody : place === 'between attempts' ? text('', 503) : hang],
      { retry: { baseDelayMs: 60_000 } },
    );
    const control = new AbortController();
    const reason = { mine: place };
    const from = Date.now();
    setTimeout(() => control.abort(reason), 100);
    expect(await failureOf(client.documents.list({}, { signal: control.signal }))).toBe(reason);
    // Long before the timeout or the backoff would have ended it.
    expect(Date.now() - from).toBeLessThan(25_000);
  },
);

test('the error of a wait that is too long names its cause: a pause of the service, or other processes', async () => {
  const paused = createLimiter();
  paused.pause(30_000);
  const { client } = await serve([json([])], { limiter: paused });
  const messageOf = async (call: PromiseLike<unknown>) => String(await failureOf(call));
  expect(await messageOf(client.documents.list({}, { maxWaitMs: 1000 }))).toMatch(texts.becauseServiceRequestedPause);
  const store = { take: () => 20_000, pause: () => undefined };
  const shared = await serve([json([])], { limiter: createLimiter({ shared: { store, id: 'key' } }) });
  expect(await messageOf(shared.client.documents.list({}, { maxWaitMs: 10 }))).toMatch(texts.becauseOtherProcessesKey);
});

test.concurrent('a 429 holds the whole queue until the time that it names', async ({ expect }) => {
  const refuse = text('slow down', 429, { ratelimit: '"default";r=0;t=1' });
  const { client, requests } = await serve([refuse, json({ data: [] })], { retry: { maxDelayMs: 5000 } });
  const held = Promise.withResolvers<unknown>();
  const first = Promise.resolve(client.documents.list({}, { onWait: held.resolve }));
  await held.promise;
  await Promise.all([first, client.links.list(), client.rooms.list()]);
  const [refused, ...later] = requests;
  expect(later).toHaveLength(3);
  for (const { at } of later) expect(at - (refused?.at ?? 0)).toBeGreaterThanOrEqual(900);
});

test('redirects within the origin are followed with the key; after a 303 a write becomes a GET', async () => {
  const { client, requests } = await serve([
    text('', 308, { location: '/api/v1/documents/' }),
    text('', 302, { location: './all' }),
    json({ data: [] }),
    text('', 307, { location: '/api/v1/links/' }),
    text('', 303, { location: '/api/v1/links/1' }),
    json({ url: 'https://share.test/1' }),
  ]);
  expect((await client.documents.list({ a: 1 })).items).toEqual([]);
  expect((await client.links.create({ document_id: 'd' })).url).toBe('https://share.test/1');
  expect(requests.map(({ line }) => line)).toEqual([
    'GET /api/v1/documents?a=1',
    'GET /api/v1/documents/',
    'GET /api/v1/documents/all',
    'POST /api/v1/links',
    'POST /api/v1/links/',
    'GET /api/v1/links/1',
  ]);
  expect(requests.every(({ headers }) => headers.authorization === 'Bearer key')).toBe(true);
});

test('a redirect to another origin is an error that names it, and the key is not sent there', async () => {
  const elsewhere = await serve([json({ data: [] })]);
  const { client } = await serve([text('', 302, { location: `${elsewhere.origin}/steal?x=1` })]);
  const error = await failureOf(client.documents.list());
  expect(error).toBeInstanceOf(ApiError);
  expect(String(error)).toMatch(new RegExp(`^ApiError: documents\\.list: .*${elsewhere.origin}.*key.*base URL`));
  expect(elsewhere.requests).toEqual([]);
});

test.each<[string, ScriptedAnswer, string]>([
  ['a web page', text('<!doctype html><p>Hi'), texts.webPageJsonBase],
  ['truncated JSON', text('{"data":[{"id":'), texts.isNotJsonOrWas],
  ['an object without a list', json({ status: 'fine' }), 'holds no list'],
])('%s instead of a list rejects with an UnexpectedResponseError', async (_, answer, message) => {
  const { client, requests } = await serve([answer]);
  const error = await failureOf(client.documents.list());
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(String(error)).toContain(message);
  expect(requests).toHaveLength(1);
});

test('a response larger than the maximum rejects with an UnexpectedResponseError with a bounded excerpt', async () => {
  const { client } = await serve([text(`["${'x'.repeat(33 * 1024 * 1024)}"]`)]);
  const error = await failureOf(client.documents.list());
  expect(error).toMatchObject({ name: 'UnexpectedResponseError', excerpt: expect.stringMatching(/^\["x{498}…$/) });
});

test('the head of a response is returned, with the ID of the request', async () => {
  const { client } = await serve([
    json({ url: 'u' }, 201, { 'x-request-id': 'req-1' }),
    json({}, 422, { 'x-request-id': 'req-2' }),
  ]);
  const { data, response } = await client.links.create({ document_id: 'd' }).withResponse();
  expect([data.url, response.status, response.requestId]).toEqual(['u', 201, 'req-1']);
  expect(await failureOf(client.links.create({ document_id: 'd' }).withResponse())).toMatchObject({
    requestId: 'req-2',
  });
});
