/** How a call takes its turns: what its limiter is told, what of an answer counts, and which refusal is told. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { findTypo } from '../../../../src/did-you-mean.ts';
import {
  ApiError,
  type Client,
  type Contradiction,
  defineClient,
  type Limiter,
  type LimiterRunOptions,
  LimiterWaitError,
  type RequestOptions,
  type TransportResponse,
} from '../../../../src/index.ts';
import { createActiveProfile } from '../../../../src/profile/active-profile.ts';
import { readCompleteText } from '../../../../src/request/read-response-text.ts';
import { tryProfileBodyFirst, tryRequestBodies } from '../../../../src/request/try-request-bodies.ts';
import { texts } from '../../../core/texts.ts';
import { NOTHING_LEARNED } from '../../../support/form-of.ts';
import { standIn } from '../../../support/stand-in.ts';

type Answer = Pick<TransportResponse, 'status'> & Partial<TransportResponse>;
const never = () => new Promise<never>(() => undefined);

/** A client whose service gives these answers in turn, and what its limiter was told of each turn. */
function make(answers: readonly (Answer | Promise<never>)[], more: { lifetimeMs?: number } = {}) {
  const turns: LimiterRunOptions[] = [];
  const left = [...answers];
  const limiter = standIn<Limiter>({
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
])('a rejected wait of %i ms is reported as %i s: an earlier retry is rejected again', async (ms, seconds) => {
  const limiter = standIn<Limiter>({ run: () => Promise.reject(new LimiterWaitError(ms, 'window')) });
  const client = defineClient({ apiKey: 'key', baseUrl: 'https://docshare.test/api/v1', limiter, transport: never });
  await expect(get(client)).rejects.toMatchObject({
    message: expect.stringContaining(`try again in ${seconds} s.`),
    retryAfterMs: ms,
  });
});

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

const refusal = (status: number) =>
  new ApiError(`${status}`, { status, operation: 'links.create', scope: 'links:write', body: '' });

test('of several bodies that are refused the first refusal is told: it speaks of the likeliest', async () => {
  const statuses = [422, 400];
  const send = () => Promise.reject(refusal(statuses.shift() ?? 500));
  await expect(tryRequestBodies([1, 2], send)).rejects.toMatchObject({ status: 422 });
});

test('a learned body that is refused is told with its own refusal, where another is taken', async () => {
  const told: Contradiction[] = [];
  const profile = { ...NOTHING_LEARNED, facts: { uploadStart: { file: '{name}' } } };
  const learned = createActiveProfile(profile, (one) => void told.push(one));
  const bodies = [{ name: 'a' }, { title: 'a' }];
  const statuses = [422, 400];
  const send = async () => {
    const status = statuses.shift();
    if (status !== undefined) throw refusal(status);
    return 'taken';
  };
  const assumed = { operation: 'documents.startUpload', bodies, placeholderValues: { name: 'a' } } as const;
  expect(await tryProfileBodyFirst(learned, assumed, send)).toBe('taken');
  expect(told.map(({ actual }) => actual)).toEqual(['rejected with status 422, and another body accepted']);
});

test.each([
  ['{"id": "a"}', 100, {}, true],
  ['{"id": "a', 100, { 'content-length': '9' }, true],
  ['plain words', 100, {}, true],
  ['{"id": "a"}', 5, {}, false],
])('the text %j of at most %i bytes and %j is whole: %s', async (text, limit, headers: object, complete) => {
  const response = { status: 200, headers: { ...headers }, body: Readable.from([Buffer.from(text)]) };
  expect(await readCompleteText(response, limit)).toMatchObject({ complete, text: text.slice(0, limit) });
});

test('JSON that stops halfway, and whose end nothing proves, was cut off', async () => {
  const response = { status: 200, headers: {}, body: Readable.from([Buffer.from(' {"id": "a')]) };
  await expect(readCompleteText(response, 100)).rejects.toThrow(texts.stopsInTheMiddle);
});

test.each([
  ['nmae', 'name'],
  ['names', 'name'],
  ['nam', 'name'],
  ['NAME', 'name'],
  ['ids', undefined],
  ['uri', undefined],
  ['ID', 'id'],
])('a field called %s is taken for a slip of %s', (given, meant) => {
  expect(findTypo(given, ['id', 'url', 'name'])).toBe(meant);
});
