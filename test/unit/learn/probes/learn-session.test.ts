/** How the learner asks: what it asks again, when it gives up, what it leaves alone once it has ended. */
import { describe, expect, test } from 'vitest';
import { learn } from '../../../../learn/index.ts';
import { exhaustRateLimit } from '../../../../learn/probes/exhaust-rate-limit.ts';
import { createRecorder, type Exchange } from '../../../../learn/probes/recorder.ts';
import { createSession, type Session } from '../../../../learn/probes/session.ts';
import { type Client, RateLimitError } from '../../../../src/index.ts';
import { texts } from '../../../learn/texts.ts';
import { createStub } from '../../../support/create-stub.ts';

const exchange = (status: number, text = '{}'): Exchange => ({
  url: new URL('https://api.test/links'),
  status,
  headers: {},
  text,
  isComplete: true,
  at: 0,
});
const limited = (retryAfterMs: number) =>
  new RateLimitError('No.', { status: 429, operation: 'links.list', scope: 'links:read', body: '', retryAfterMs });

/** A session whose calls end in these ways, one after the other: an answer, an error, or nothing. */
function make(ends: readonly (number | Error | string)[], signal = new AbortController().signal) {
  const left = [...ends];
  const keys: string[] = [];
  let came: Exchange[] = [];
  const recorder = createStub<ReturnType<typeof createRecorder>>({
    key: 'own',
    budgetError: undefined,
    takeExchanges: () => came.splice(0),
  });
  const request = async () => {
    keys.push(recorder.key);
    const end = left.shift() ?? new Error('silent');
    if (end instanceof RateLimitError) came = [...came, exchange(429)];
    if (end instanceof Error) throw end;
    came = [...came, typeof end === 'number' ? exchange(end) : exchange(200, end)];
  };
  const session = createSession({
    client: createStub<Client>({ request }),
    recorder,
    signal,
    onProgress: () => undefined,
  });
  const ask = (more: object = {}) =>
    session.sendRequest(createStub({ method: 'GET', path: '/links', route: '/links', topic: 'lists', ...more }));
  return { ask, keys, recorder };
}
const silent = new Error('silent');

describe('a session', () => {
  test('ends after three calls in a row without an answer, and an answer begins the count anew', async () => {
    const { ask } = make([silent, silent, 200, silent, silent, silent]);
    for (const _ of 'abcde') await ask();
    await expect(ask()).rejects.toThrow(texts.n3CallsRowHadResponse);
  });

  test('asks again what the limit refused, unless it is to be asked once or the wait is too long', async () => {
    const soon = make([limited(10), limited(10), 200]);
    expect(await soon.ask()).toMatchObject({ status: 200 });
    const noRetry = make([limited(10), 200]);
    await expect(noRetry.ask({ noRetry: true })).rejects.toThrow('Try again later');
    const tomorrow = make([limited(86_400_000), 200]);
    await expect(tomorrow.ask()).rejects.toThrow('Try again later');
    expect([soon.keys.length, noRetry.keys.length, tomorrow.keys.length]).toEqual([3, 1, 1]);
  });

  test('goes back to its own key after a call with another, also where that fails', async () => {
    const { ask, keys, recorder } = make([401, silent, 200]);
    await ask({ key: 'wrong' });
    await ask({ key: 'none' });
    expect(recorder.key).toBe('own');
    await ask();
    expect(keys).toEqual(['wrong', 'none', 'own']);
  });

  test('asks nothing after a stop but to remove what was made', async () => {
    const { ask, keys } = make([204], AbortSignal.abort('stop'));
    await expect(ask({ method: 'POST' })).rejects.toBe('stop');
    expect(await ask({ method: 'DELETE', isCleanup: true })).toMatchObject({ status: 204 });
    expect(keys).toHaveLength(1);
  });

  test('reads 500 fields of an object, whatever it holds', async () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`f${at}`, at]));
    const { ask } = make([JSON.stringify({ data: [many] })]);
    const { json } = (await ask()) ?? {};
    expect(Object.keys((json as { data: object[] }).data[0] ?? {})).toHaveLength(500);
  });
});

test.each([
  ['application/pdf', 1025],
  ['application/json', 5000],
])('of an answer of %s no more than %i bytes are read', async (type, most) => {
  let given = 0;
  async function* body() {
    for (let at = 0; at < 5000; at++) {
      given += 1;
      yield Buffer.from('x');
    }
  }
  const transport = async () => ({ status: 200, headers: { 'content-type': type }, body: body() });
  await createRecorder({ budget: 1, transport }).transport({ method: 'GET', url: 'https://a.test/', headers: {} });
  expect(given).toBe(most);
});

test('the budget counts again once the limit was used up, or that was given up', async () => {
  const recorder = { ignoreBudget: false };
  const session = createStub<Session>({ recorder, signal: new AbortController().signal, client: { baseUrl: '' } });
  const ignoreBudget: boolean[] = [];
  const sleep = () => {
    ignoreBudget.push(recorder.ignoreBudget);
    return Promise.reject(new Error('enough'));
  };
  await expect(exhaustRateLimit(session, { apiKey: 'key', clock: { now: () => 0, sleep } })).rejects.toThrow('enough');
  expect([ignoreBudget, recorder.ignoreBudget]).toEqual([[true], false]);
});

test('where the key is refused nothing is made, and the limit is not used up', async () => {
  const methods = new Set<string>();
  const { stopReason } = await learn({
    apiKey: 'key-of-learn-session',
    baseUrl: 'https://api.test/api/v1',
    transport: async ({ method }) => {
      methods.add(method);
      return { status: 401, headers: {}, body: (async function* () {})() };
    },
    write: { apiKey: 'key-of-learn-session' },
    limit: { clock: { now: () => 0, sleep: () => Promise.reject(new Error('used up')) } },
  });
  expect([stopReason, [...methods]]).toEqual([expect.stringContaining(texts.rejectedTheApiKey), ['GET']]);
});
