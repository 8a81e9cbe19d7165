/** The options that a call passes to its limiter, and what ends the call. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  type Client,
  defineClient,
  type Limiter,
  type LimiterRunOptions,
  LimiterWaitError,
  type RequestOptions,
  type TransportResponse,
} from '../../../src/index.ts';
import { createStub } from '../../support/create-stub.ts';

type Answer = Pick<TransportResponse, 'status'> & Partial<TransportResponse>;
const never = () => new Promise<never>(() => undefined);

/** A client whose service returns these responses in order, and what its limiter received: options and pauses. */
function make(answers: readonly (Answer | Promise<Answer>)[], more: { lifetimeMs?: number } = {}) {
  const turns: LimiterRunOptions[] = [];
  const pauses: { ms: number; startedAt: number | undefined }[] = [];
  const left = [...answers];
  const limiter = createStub<Limiter>({
    run: (task: () => Promise<unknown>, run: LimiterRunOptions) => {
      turns.push(run);
      return task();
    },
    pause: (ms: number, startedAt?: number) => void pauses.push({ ms, startedAt }),
    expectedWaitMs: () => 0,
  });
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    limiter,
    retry: { retries: 1, baseDelayMs: 0 },
    transport: async () => ({
      headers: {},
      body: Readable.from([Buffer.from('{"id":"a"}')]),
      ...(await (left.shift() ?? never())),
    }),
    ...more,
  });
  return { client, turns, pauses };
}

const get = (client: Client, options: RequestOptions = {}) => client.documents.get({ id: 'a' }, options);
const moved: Answer = { status: 307, headers: { location: '/api/v1/documents/b' } };

test.each<[string, readonly Answer[], number[]]>([
  ['was redirected', [moved, { status: 200 }], [2, 2.5]],
  ['failed', [{ status: 503 }, { status: 200 }], [2, 2.5]],
])('a call that %s precedes calls that have not begun', async (_, answers, priorities) => {
  const { client, turns } = make(answers);
  await get(client, { priority: 2 });
  expect(turns.map(({ priority }) => priority)).toEqual(priorities);
});

test.each<[string, RequestOptions, number]>([
  ['neither deadlineMs nor maxWaitMs', {}, 300_000],
  ['deadlineMs', { deadlineMs: 1_000_000 }, Number.POSITIVE_INFINITY],
  ['maxWaitMs', { maxWaitMs: 1_000_000 }, Number.POSITIVE_INFINITY],
])('the maximum pause of a call with %s is right', async (_, options, maxPauseMs) => {
  const { client, turns } = make([{ status: 200 }]);
  await get(client, options);
  expect(turns[0]?.maxPauseMs).toBe(maxPauseMs);
});

test("no turn is awaited beyond the client's lifetime; an upload is long-running", async () => {
  const { client, turns } = make([{ status: 200 }, { status: 200 }], { lifetimeMs: 5000 });
  await get(client, { maxWaitMs: 60_000 });
  await client.upload(new Blob(['a']), { via: 'multipart' });
  expect(turns[0]?.maxWaitMs).toBeLessThanOrEqual(5000);
  expect(turns.map(({ isLongRunning }) => isLongRunning)).toEqual([false, true]);
});

test.each([
  [1000, 1],
  [1001, 2],
])('a rejected wait of %i ms is reported as %i s, rounded up so that no retry is too early', async (ms, seconds) => {
  const limiter = createStub<Limiter>({ run: () => Promise.reject(new LimiterWaitError(ms, 'window')) });
  const client = defineClient({ apiKey: 'key', baseUrl: 'https://docshare.test/api/v1', limiter, transport: never });
  await expect(get(client)).rejects.toMatchObject({
    message: expect.stringContaining(`try again in ${seconds} s.`),
    retryAfterMs: ms,
  });
});

test.each<[RequestOptions, string]>([
  [{ deadlineMs: 20, timeoutMs: 60_000 }, 'before the deadline'],
  [{ timeoutMs: 20, deadlineMs: 60_000, retries: 0 }, 'within 20 ms'],
])('a read without a response names the option that ended it: %j', async (options, said) => {
  await expect(get(make([]).client, options)).rejects.toThrow(said);
});

test('the body of a redirect is read to its end, which releases the connection', async () => {
  let isOver = false;
  async function* body() {
    yield Buffer.from('moved');
    isOver = true;
  }
  const { client } = make([{ ...moved, body: body() }, { status: 200 }]);
  await get(client);
  expect(isOver).toBe(true);
});

test('a 429 passes the start time of its call to the limiter, so that one burst slows down once', async () => {
  const { client, pauses } = make([{ status: 429, headers: { 'retry-after': '2' } }]);
  const calledAt = performance.now();
  await expect(get(client, { retries: 0 })).rejects.toMatchObject({ name: 'RateLimitError' });
  expect(pauses).toEqual([
    { ms: 2000, startedAt: expect.toSatisfy((at) => at >= calledAt && at <= performance.now()) },
  ]);
});
