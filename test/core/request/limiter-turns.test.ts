/** What a call passes to its limiter, and what ends the call. */
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

/** A client whose service gives these answers in turn, and what its limiter was told of each turn. */
function make(answers: readonly (Answer | Promise<never>)[], more: { lifetimeMs?: number } = {}) {
  const turns: LimiterRunOptions[] = [];
  const left = [...answers];
  const limiter = createStub<Limiter>({
    run: (task: () => Promise<unknown>, run: LimiterRunOptions) => {
      turns.push(run);
      return task();
    },
    pause: () => undefined,
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
  return { client, turns };
}

const get = (client: Client, options: RequestOptions = {}) => client.documents.get({ id: 'a' }, options);
const moved: Answer = { status: 307, headers: { location: '/api/v1/documents/b' } };

test.each<[string, readonly Answer[], number[]]>([
  ['was moved', [moved, { status: 200 }], [2, 2.5]],
  ['has failed', [{ status: 503 }, { status: 200 }], [2, 2.5]],
  ['was refused', [{ status: 429 }, { status: 200 }], [2, 2.5]],
])('a call that %s goes before those that have not begun', async (_, answers, priorities) => {
  const { client, turns } = make(answers);
  await get(client, { priority: 2 });
  expect(turns.map(({ priority }) => priority)).toEqual(priorities);
});

test.each<[string, RequestOptions, number]>([
  ['nothing is told', {}, 300_000],
  ['a deadline is told', { deadlineMs: 1_000_000 }, Number.POSITIVE_INFINITY],
  ['a wait is told', { maxWaitMs: 1_000_000 }, Number.POSITIVE_INFINITY],
])('where %s, a pause of the service is waited for as long', async (_, options, maxPauseMs) => {
  const { client, turns } = make([{ status: 200 }]);
  await get(client, options);
  expect(turns[0]?.maxPauseMs).toBe(maxPauseMs);
});

test('no turn is waited for beyond the time of the client; an upload is one that lasts', async () => {
  const { client, turns } = make([{ status: 200 }, { status: 200 }], { lifetimeMs: 5000 });
  await get(client, { maxWaitMs: 60_000 });
  await client.upload(new Blob(['a']), { via: 'multipart' });
  expect(turns[0]?.maxWaitMs).toBeLessThanOrEqual(5000);
  expect(turns.map(({ isLongRunning }) => isLongRunning)).toEqual([false, true]);
});

test.each([
  [1000, 1],
  [1001, 2],
])(
  'a rejected wait of %i ms is reported as %i s, rounded up so that the retry is not too early',
  async (ms, seconds) => {
    const limiter = createStub<Limiter>({ run: () => Promise.reject(new LimiterWaitError(ms, 'window')) });
    const client = defineClient({ apiKey: 'key', baseUrl: 'https://docshare.test/api/v1', limiter, transport: never });
    await expect(get(client)).rejects.toMatchObject({
      message: expect.stringContaining(`try again in ${seconds} s.`),
      retryAfterMs: ms,
    });
  },
);

test.each<[RequestOptions, string]>([
  [{ deadlineMs: 20, timeoutMs: 60_000 }, 'before the deadline'],
  [{ timeoutMs: 20, deadlineMs: 60_000, retries: 0 }, 'within 20 ms'],
])('a read without an answer is told by the clock that ended it: %j', async (options, said) => {
  await expect(get(make([]).client, options)).rejects.toThrow(said);
});

test('a caller who gives up a write while its answer comes hears his own reason', async () => {
  const control = new AbortController();
  const body = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        control.abort('enough');
        return never();
      },
    }),
  };
  const { client } = make([{ status: 201, body }]);
  const write = client.links.create({ document_id: 'd' }, { signal: control.signal });
  await expect(write).rejects.toBe('enough');
});

test('the body of a redirect is read to its end, so that its connection is given back', async () => {
  let isOver = false;
  async function* body() {
    yield Buffer.from('moved');
    isOver = true;
  }
  const { client } = make([{ ...moved, body: body() }, { status: 200 }]);
  await get(client);
  expect(isOver).toBe(true);
});
