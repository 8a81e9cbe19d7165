import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createIdempotencyStore, IDEMPOTENCY_TTL_MS } from '../../../mcp/call/idempotency.ts';
import type { ToolResult } from '../../../mcp/tool/tool.ts';
import { UnexpectedResponseError, UnknownOutcomeError } from '../../../src/index.ts';
import { fakeTimerSleep } from '../../support/fake-timer-sleep.ts';
import { createMemoryState, type SharedState, ToolError } from '../../support/mcp-parts.ts';
import { observePromise } from '../../support/observe-promise.ts';
import { texts } from '../texts.ts';

const START = Date.UTC(2026, 10, 22, 12);
const { signal } = new AbortController();
const ONCE = { deduplicate: true, mayRepeat: false, signal };
const REPEAT = { ...ONCE, mayRepeat: true };
const ANY = { deduplicate: false, mayRepeat: false, signal };
const SENT: ToolResult = { data: { sent: true, id: 'a', message: 'words' }, unredactedFields: ['x'] };
const UNKNOWN_OUTCOME = new UnknownOutcomeError('?', 'agreements.send');
const UNKNOWN = { kind: 'unknown', secondsAgo: 0 };

// The clock moves only when a test advances it.
beforeEach(() => void vi.useFakeTimers({ now: START }));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const handler = (result: ToolResult | Error = SENT) =>
  vi.fn(async () => {
    if (result instanceof Error) throw result;
    return result;
  });

/** Servers that share one state, whose methods `parts` can replace. */
function createServers(parts: Partial<SharedState> = {}) {
  const memory = createMemoryState();
  const [look, note] = [vi.fn(memory.get), vi.fn(memory.writeEventually)];
  const state: SharedState = { ...memory, get: look, writeEventually: note, ...parts };
  return {
    memory,
    look,
    note,
    server: () => createIdempotencyStore({ state: async () => state, sleep: fakeTimerSleep }),
  };
}

/** Servers that share one state file, which outlives each of them. */
function createServersOnFile(parts: Partial<SharedState> = {}) {
  const { getStatus } = createMemoryState();
  return createServers({ getStatus: () => ({ ...getStatus(), backend: 'file' }), ...parts });
}

/** A send that runs at one server while another one waits for it. */
async function openSend(servers = createServers()) {
  const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
  const first = observePromise(servers.server().run('d', () => promise, ONCE));
  await pass(0);
  const secondHandler = handler({ data: { sent: true, id: 'second' } });
  const second = observePromise(servers.server().run('d', secondHandler, ONCE));
  await pass(0);
  return { ...servers, first, second, secondHandler, resolve, reject };
}

describe.each([
  ['the same server', false],
  ['another server', true],
])('at %s', (_, isOther) => {
  const pair = () => {
    const { server } = createServers();
    const first = server();
    return [first, isOther ? server() : first] as const;
  };

  test('a second send within ten minutes does nothing, and returns the result of the first', async () => {
    const [first, second] = pair();
    const send = handler({ ...SENT, trustedFields: ['id'] });
    await first.run('d', send, ONCE);
    await pass(7000);
    const repeated = await second.run('d', send, ONCE);
    const next = expect.stringContaining('was sent 7 s ago');
    expect(repeated.data).toEqual({ ...SENT.data, repeated: true, next });
    expect(repeated).toMatchObject({ trustedFields: ['id', 'next'], unredactedFields: ['x'] });
    expect(send).toHaveBeenCalledOnce();
    expect(await second.find('d', { signal })).toMatchObject({ kind: 'done', secondsAgo: 7, result: SENT });
  });

  test('a send after ten minutes, or for another call, is executed', async () => {
    const [first, second] = pair();
    const send = handler();
    await first.run('d', send, ONCE);
    await second.run('e', send, ONCE);
    await pass(IDEMPOTENCY_TTL_MS - 1);
    await second.run('d', send, ONCE);
    expect(send).toHaveBeenCalledTimes(2);
    await pass(1);
    await second.run('d', send, ONCE);
    expect(send).toHaveBeenCalledTimes(3);
  });

  test('a failed send blocks nothing', async () => {
    const [first, second] = pair();
    await expect(first.run('d', handler(new Error('refused')), ONCE)).rejects.toThrow('refused');
    expect(await second.find('d', { signal })).toBeUndefined();
    expect(await second.run('d', handler(), ONCE)).toEqual(SENT);
  });

  test.each([
    ['unknown', UNKNOWN_OUTCOME],
    ['an unreadable response', new UnexpectedResponseError('?', { operation: 'x', status: 200, excerpt: '' })],
    ['unknown to a tool', new ToolError('unknown_outcome', '?')],
  ])('a send whose outcome is %s is repeated only after another approval', async (_why, error) => {
    const [first, second] = pair();
    await expect(first.run('d', handler(error), ONCE)).rejects.toBe(error);
    expect(await second.find('d', { signal })).toEqual(UNKNOWN);
    const send = handler();
    await expect(second.run('d', send, ONCE)).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect(send).not.toHaveBeenCalled();
    expect(await second.run('d', send, REPEAT)).toEqual(SENT);
    // It is done by now.
    expect((await first.run('d', send, REPEAT)).data).toMatchObject({ repeated: true });
    expect(send).toHaveBeenCalledOnce();
  });

  test('a write that may repeat runs each time, and only an unknown outcome is stored, until it succeeds', async () => {
    const [first, second] = pair();
    const write = handler();
    await first.run('d', write, ANY);
    await second.run('d', write, ANY);
    expect(write).toHaveBeenCalledTimes(2);
    const refused = new ToolError('other', '?');
    for (const [error, found] of [
      [refused, undefined],
      [UNKNOWN_OUTCOME, UNKNOWN],
      // Another failure keeps the stored outcome.
      [refused, UNKNOWN],
    ] as const) {
      await expect(first.run('d', handler(error), ANY)).rejects.toBe(error);
      expect(await second.find('d', { signal })).toEqual(found);
    }
    await second.run('d', write, ANY);
    expect(await second.find('d', { signal })).toBeUndefined();
  });
});

test('of two simultaneous calls one runs, and both get its result', async () => {
  const store = createServers().server();
  const { promise, resolve } = Promise.withResolvers<ToolResult>();
  const send = vi.fn(() => promise);
  const both = [store.run('d', send, ONCE), store.run('d', send, ONCE)];
  resolve({ data: { sent: true } });
  const [one, two] = await Promise.all(both);
  expect([one, two]).toMatchObject([{ data: { sent: true } }, { data: { repeated: true }, trustedFields: ['next'] }]);
  expect(send).toHaveBeenCalledOnce();
});

describe('a send at another server', () => {
  test('that failed lets the waiting call run', async () => {
    const { first, second, secondHandler, reject } = await openSend();
    const error = new Error('refused');
    reject(error);
    await pass(200);
    expect([first, second.value?.data]).toEqual([{ error }, { sent: true, id: 'second' }]);
    expect(secondHandler).toHaveBeenCalledOnce();
  });

  test('with an unknown outcome is not repeated', async () => {
    const { second, secondHandler, reject, memory } = await openSend();
    reject(UNKNOWN_OUTCOME);
    await pass(200);
    expect(second.error).toMatchObject({ code: 'unknown_outcome' });
    expect(secondHandler).not.toHaveBeenCalled();
    expect(await memory.get('call d')).toMatchObject({ status: 'unknown', at: START });
  });

  test('is waited for up to 30 s while its server renews it', async () => {
    const { second, secondHandler, resolve } = await openSend();
    await pass(30_400);
    expect(second).toEqual({});
    await pass(200);
    expect(second.error).toMatchObject({ message: expect.stringContaining(texts.sameCallMade31S) });
    expect(secondHandler).not.toHaveBeenCalled();
    resolve(SENT);
  });

  test.each<[string, number, object, object]>([
    ['is waited for if it was renewed 8 s ago', 8400, { at: START - 5000, alive: START }, {}],
    [
      'has an unknown outcome if it was not renewed for longer',
      8600,
      { at: START - 5000, alive: START },
      { value: { kind: 'unknown', secondsAgo: 14 } },
    ],
    ['counts from its start if never renewed', 9000, { at: START }, { value: { kind: 'unknown', secondsAgo: 9 } }],
  ])('%s', async (_, ms, entry, expected) => {
    const { memory, server } = createServers();
    await memory.put('call d', { status: 'running', by: 'another', ...entry }, START + 60_000);
    await pass(ms);
    const found = observePromise(server().find('d', { signal }));
    await pass(0);
    expect(found).toEqual(expected);
    await memory.remove('call d');
    await pass(200);
    if (!('value' in expected)) expect(found).toEqual({ value: undefined });
  });

  test('is waited for until the call is cancelled, and the reason is thrown', async () => {
    const { server, look } = await openSend();
    const abort = new AbortController();
    const found = observePromise(server().find('d', { signal: abort.signal }));
    await pass(500);
    const reason = new Error('cancelled');
    abort.abort(reason);
    const looks = look.mock.calls.length;
    await pass(0);
    expect(found).toEqual({ error: reason });
    expect(look).toHaveBeenCalledTimes(looks);
  });
});

describe('the sending server', () => {
  test('renews its entry every two seconds until the send is done', async () => {
    const { memory, resolve } = await openSend();
    await pass(1999);
    expect(await memory.get('call d')).not.toHaveProperty('alive');
    await pass(1);
    expect(await memory.get('call d')).toMatchObject({ status: 'running', alive: START + 2000 });
    await pass(2000);
    expect(await memory.get('call d')).toMatchObject({ status: 'running', alive: START + 4000 });
    resolve(SENT);
    await pass(200);
    expect(await memory.get('call d')).toMatchObject({ status: 'done' });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('renews its entry the next time if one renewal fails', async () => {
    const memory = createMemoryState();
    const swap = vi.fn(memory.compareAndSwap);
    swap.mockRejectedValueOnce(new Error('away'));
    const { resolve } = await openSend(createServers({ ...memory, compareAndSwap: swap }));
    await pass(4000);
    expect(await memory.get('call d')).toMatchObject({ alive: START + 4000 });
    resolve(SENT);
  });

  test('does not overwrite an entry of another server', async () => {
    const { memory, resolve } = await openSend();
    await memory.put('call d', { status: 'unknown', at: START }, START + 60_000);
    await pass(6000);
    expect(await memory.get('call d')).toEqual({ status: 'unknown', at: START });
    resolve(SENT);
  });
});

test.each([
  ['succeeds, the other gets its result', SENT, { value: { data: { repeated: true } } }],
  ['has an unknown outcome again, so it has for the other', UNKNOWN_OUTCOME, { error: { code: 'unknown_outcome' } }],
])('if two servers may repeat an unknown outcome, one does; if that %s', async (_, outcome, expected) => {
  const { server } = createServers();
  await expect(server().run('d', handler(UNKNOWN_OUTCOME), ONCE)).rejects.toBe(UNKNOWN_OUTCOME);
  const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
  const [one, two] = [vi.fn(() => promise), vi.fn(() => promise)];
  const both = [server().run('d', one, REPEAT), server().run('d', two, REPEAT)].map(observePromise);
  await pass(0);
  if (outcome instanceof Error) reject(outcome);
  else resolve(outcome);
  await pass(200);
  expect(one.mock.calls.length + two.mock.calls.length).toBe(1);
  expect(both[1]).toMatchObject(expected);
});

describe('the stored result of a send', () => {
  test('is complete at its own server, and without texts elsewhere if the state stores no user text', async () => {
    const { memory, server } = createServers({ canStoreUserText: false });
    const [here, there] = [server(), server()];
    await here.run('d', handler(), ONCE);
    expect(await here.find('d', { signal })).toMatchObject({ result: SENT });
    expect((await here.run('d', handler(), ONCE)).data).toMatchObject({ message: 'words' });
    expect((await there.run('d', handler(), ONCE)).data).not.toHaveProperty('message');
    expect(JSON.stringify(await memory.get('call d'))).not.toContain('words');
  });

  test('has no texts if it is long', async () => {
    const { memory, server } = createServers();
    const storedData = { sent: true, id: 'a', done: true, deleted: false };
    await server().run('d', handler({ data: { ...storedData, note: 'x'.repeat(40_000) } }), ONCE);
    expect((await server().find('d', { signal })) as object).toMatchObject({ result: { data: storedData } });
    expect(JSON.stringify(await memory.get('call d'))).not.toContain('xxx');
  });

  test('is removed if the send failed, even if the state cannot be read', async () => {
    const memory = createMemoryState();
    const { server } = createServers({ ...memory, get: () => Promise.reject(new Error('away')) });
    await expect(server().run('d', handler(new Error('refused')), ONCE)).rejects.toThrow('refused');
    expect(await memory.get('call d')).toBeUndefined();
  });
});

describe('a write that may repeat', () => {
  /** Starts a write at a server. */
  async function open(store: ReturnType<ReturnType<typeof createServersOnFile>['server']>) {
    const { promise, resolve } = Promise.withResolvers<ToolResult>();
    const running = store.run('d', () => promise, ANY);
    await pass(0);
    return { resolve, running };
  }

  test('has an unknown outcome for other servers while it runs, and leaves nothing once it is done', async () => {
    const { server } = createServersOnFile();
    const [first, second] = [server(), server()];
    const { resolve, running } = await open(first);
    expect(await second.find('d', { signal })).toEqual(UNKNOWN);
    expect(await first.find('d', { signal })).toBeUndefined();
    expect(await second.find('another', { signal })).toBeUndefined();
    resolve(SENT);
    expect(await running).toBe(SENT);
    expect(await second.find('d', { signal })).toBeUndefined();
  });

  test('that runs twice at one server keeps its entry until both are done', async () => {
    const { server } = createServersOnFile();
    const [first, second] = [server(), server()];
    const { resolve, running } = await open(first);
    await expect(first.run('d', handler(new Error('refused')), ANY)).rejects.toThrow('refused');
    expect(await second.find('d', { signal })).toEqual(UNKNOWN);
    resolve(SENT);
    await running;
    expect(await second.find('d', { signal })).toBeUndefined();
  });

  test('is not stored in memory-only state, and runs even if the state cannot be read or written', async () => {
    const { server, note } = createServers();
    await server().run('d', handler(), ANY);
    expect(note).not.toHaveBeenCalled();
    const away = createServersOnFile({ get: () => Promise.reject(Error('away')), writeEventually: async () => false });
    expect(await away.server().run('d', handler(), ANY)).toEqual(SENT);
  });
});
