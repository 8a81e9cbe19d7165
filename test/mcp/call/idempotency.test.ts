/** What was sent is not sent again, what may have happened is said to, and what failed blocks nothing: at one server and at several. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createIdempotencyStore, IDEMPOTENCY_TTL_MS } from '../../../mcp/call/idempotency.ts';
import { createMemoryState } from '../../../mcp/state/memory-state.ts';
import type { SharedState } from '../../../mcp/state/shared-state.ts';
import type { ToolResult } from '../../../mcp/tool/tool.ts';
import { ToolError } from '../../../mcp/tool-error.ts';
import { UnexpectedResponseError, UnknownOutcomeError } from '../../../src/index.ts';
import { fakeTimerSleep } from '../../support/fake-timer-sleep.ts';
import { watch } from '../../support/watched.ts';
import { texts } from '../texts.ts';

const START = Date.UTC(2026, 10, 22, 12);
const { signal } = new AbortController();
const ONCE = { deduplicate: true, mayRepeat: false, signal };
const AGAIN = { ...ONCE, mayRepeat: true };
const ANY = { deduplicate: false, mayRepeat: false, signal };
const SENT: ToolResult = { data: { sent: true, id: 'a', note: 'words' }, unredactedFields: ['x'] };
const DOUBT = new UnknownOutcomeError('?', 'agreements.send');
const UNKNOWN = { kind: 'unknown', secondsAgo: 0 };

// The clock stands unless a test moves it.
beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const act = (answer: ToolResult | Error = SENT) =>
  vi.fn(async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });

/** Servers on one state, of which parts may be broken. */
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

/** Servers on one file, which outlives each of them. */
function createServersOnFile(parts: Partial<SharedState> = {}) {
  const { getStatus } = createMemoryState();
  return createServers({ getStatus: () => ({ ...getStatus(), backend: 'file' }), ...parts });
}

/** A send that runs at one server and is waited for at another. */
async function openSend(servers = createServers()) {
  const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
  const first = watch(servers.server().run('d', () => promise, ONCE));
  await pass(0);
  const own = act({ data: { sent: true, id: 'second' } });
  const second = watch(servers.server().run('d', own, ONCE));
  await pass(0);
  return { ...servers, first, second, own, resolve, reject };
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

  test('a second send within ten minutes does nothing, and tells of the first', async () => {
    const [first, second] = pair();
    const send = act({ ...SENT, trustedFields: ['next'] });
    await first.run('d', send, ONCE);
    await pass(7000);
    const repeated = await second.run('d', send, ONCE);
    const message = expect.stringContaining('was sent 7 s ago');
    expect(repeated.data).toEqual({ ...SENT.data, repeated: true, message });
    expect(repeated).toMatchObject({ trustedFields: ['next', 'message'], unredactedFields: ['x'] });
    expect(send).toHaveBeenCalledOnce();
    expect(await second.find('d', { signal })).toMatchObject({ kind: 'done', secondsAgo: 7, result: SENT });
  });

  test('after ten minutes, and for another call, it is sent', async () => {
    const [first, second] = pair();
    const send = act();
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
    await expect(first.run('d', act(new Error('refused')), ONCE)).rejects.toThrow('refused');
    expect(await second.find('d', { signal })).toBeUndefined();
    expect(await second.run('d', act(), ONCE)).toEqual(SENT);
  });

  test.each([
    ['unknown', DOUBT],
    ['an answer that can not be read', new UnexpectedResponseError('?', { operation: 'x', status: 200, excerpt: '' })],
    ['unknown to a tool', new ToolError('unknown_outcome', '?')],
  ])('a send whose outcome is %s is not repeated, unless a person agreed once more', async (_why, error) => {
    const [first, second] = pair();
    await expect(first.run('d', act(error), ONCE)).rejects.toBe(error);
    expect(await second.find('d', { signal })).toEqual(UNKNOWN);
    const send = act();
    await expect(second.run('d', send, ONCE)).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect(send).not.toHaveBeenCalled();
    expect(await second.run('d', send, AGAIN)).toEqual(SENT);
    // Done meanwhile.
    expect((await first.run('d', send, AGAIN)).data).toMatchObject({ repeated: true });
    expect(send).toHaveBeenCalledOnce();
  });

  test('what may run more than once runs each time; only a doubt is remembered, until it went well', async () => {
    const [first, second] = pair();
    const write = act();
    await first.run('d', write, ANY);
    await second.run('d', write, ANY);
    expect(write).toHaveBeenCalledTimes(2);
    const refused = new ToolError('other', '?');
    for (const [error, found] of [
      [refused, undefined],
      [DOUBT, UNKNOWN],
      // Another failure leaves what stood there.
      [refused, UNKNOWN],
    ] as const) {
      await expect(first.run('d', act(error), ANY)).rejects.toBe(error);
      expect(await second.find('d', { signal })).toEqual(found);
    }
    await second.run('d', write, ANY);
    expect(await second.find('d', { signal })).toBeUndefined();
  });
});

test('of two at once one runs, and both hear its answer', async () => {
  const store = createServers().server();
  const { promise, resolve } = Promise.withResolvers<ToolResult>();
  const send = vi.fn(() => promise);
  const both = [store.run('d', send, ONCE), store.run('d', send, ONCE)];
  resolve({ data: { sent: true } });
  const [one, two] = await Promise.all(both);
  expect([one, two]).toMatchObject([
    { data: { sent: true } },
    { data: { repeated: true }, trustedFields: ['message'] },
  ]);
  expect(send).toHaveBeenCalledOnce();
});

describe('a send that runs at another server', () => {
  test('is looked at five times a second, until it is done', async () => {
    const { first, second, own, resolve, look } = await openSend();
    expect(look).toHaveBeenCalledTimes(1);
    await pass(199);
    expect(look).toHaveBeenCalledTimes(1);
    await pass(801);
    expect(look).toHaveBeenCalledTimes(6);
    resolve(SENT);
    await pass(200);
    expect(first).toEqual({ value: SENT });
    expect(second.value?.data).toMatchObject({ id: 'a', repeated: true, note: 'words' });
    expect(own).not.toHaveBeenCalled();
  });

  test('and failed without a trace leaves the turn to who waited', async () => {
    const { first, second, own, reject } = await openSend();
    const error = new Error('refused');
    reject(error);
    await pass(200);
    expect([first, second.value?.data]).toEqual([{ error }, { sent: true, id: 'second' }]);
    expect(own).toHaveBeenCalledOnce();
  });

  test('and ended in doubt is not repeated', async () => {
    const { second, own, reject, memory } = await openSend();
    reject(DOUBT);
    await pass(200);
    expect(second.error).toMatchObject({ code: 'unknown_outcome' });
    expect(own).not.toHaveBeenCalled();
    expect(await memory.get('call d')).toMatchObject({ status: 'unknown', at: START });
  });

  test('is waited for up to 30 s while that server says that it runs', async () => {
    const { second, own, resolve } = await openSend();
    await pass(30_400);
    expect(second).toEqual({});
    await pass(200);
    expect(second.error).toMatchObject({ message: expect.stringContaining(texts.sameCallMade31S) });
    expect(own).not.toHaveBeenCalled();
    resolve(SENT);
  });

  test.each<[string, number, object, object]>([
    ['and has said so 8 s ago is waited for', 8400, { at: START - 5000, alive: START }, {}],
    [
      'and has been silent for longer is in doubt',
      8600,
      { at: START - 5000, alive: START },
      { value: { kind: 'unknown', secondsAgo: 14 } },
    ],
    [
      'and never said that it runs counts from its start',
      9000,
      { at: START },
      { value: { kind: 'unknown', secondsAgo: 9 } },
    ],
  ])('%s', async (_, ms, entry, expected) => {
    const { memory, server } = createServers();
    await memory.put('call d', { status: 'running', by: 'another', ...entry }, START + 60_000);
    await pass(ms);
    const found = watch(server().find('d', { signal }));
    await pass(0);
    expect(found).toEqual(expected);
    await memory.remove('call d');
    await pass(200);
    if (!('value' in expected)) expect(found).toEqual({ value: undefined });
  });

  test('is waited for until the call is cancelled, whose reason is thrown', async () => {
    const { server, look } = await openSend();
    const abort = new AbortController();
    const found = watch(server().find('d', { signal: abort.signal }));
    await pass(500);
    const reason = new Error('cancelled');
    abort.abort(reason);
    const looks = look.mock.calls.length;
    await pass(0);
    expect(found).toEqual({ error: reason });
    expect(look).toHaveBeenCalledTimes(looks);
  });
});

describe('who sends', () => {
  test('says so every two seconds, and stops when it is done', async () => {
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

  test('and can’t say so once says it the next time', async () => {
    const memory = createMemoryState();
    const swap = vi.fn(memory.compareAndSwap);
    swap.mockRejectedValueOnce(new Error('away'));
    const { resolve } = await openSend(createServers({ ...memory, compareAndSwap: swap }));
    await pass(4000);
    expect(await memory.get('call d')).toMatchObject({ alive: START + 4000 });
    resolve(SENT);
  });

  test('says nothing over what another server has noted meanwhile', async () => {
    const { memory, resolve } = await openSend();
    await memory.put('call d', { status: 'unknown', at: START }, START + 60_000);
    await pass(6000);
    expect(await memory.get('call d')).toEqual({ status: 'unknown', at: START });
    resolve(SENT);
  });
});

test.each([
  ['and is done, is heard by the other', SENT, { value: { data: { repeated: true } } }],
  ['and is in doubt once more, stays in doubt for the other', DOUBT, { error: { code: 'unknown_outcome' } }],
])('a doubt that two servers are told to try again is tried by one %s', async (_, outcome, heard) => {
  const { server } = createServers();
  await expect(server().run('d', act(DOUBT), ONCE)).rejects.toBe(DOUBT);
  const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
  const [one, two] = [vi.fn(() => promise), vi.fn(() => promise)];
  const both = [server().run('d', one, AGAIN), server().run('d', two, AGAIN)].map(watch);
  await pass(0);
  if (outcome instanceof Error) reject(outcome);
  else resolve(outcome);
  await pass(200);
  expect(one.mock.calls.length + two.mock.calls.length).toBe(1);
  expect(both[1]).toMatchObject(heard);
});

describe('what is left of a send', () => {
  test('is whole at its own server, and elsewhere what was done and to what, if the state keeps no texts', async () => {
    const { memory, server } = createServers({ canStoreUserText: false });
    const [here, there] = [server(), server()];
    await here.run('d', act(), ONCE);
    expect(await here.find('d', { signal })).toMatchObject({ result: SENT });
    expect((await here.run('d', act(), ONCE)).data).toMatchObject({ note: 'words' });
    expect((await there.run('d', act(), ONCE)).data).not.toHaveProperty('note');
    expect(JSON.stringify(await memory.get('call d'))).not.toContain('words');
  });

  test('of which the answer is long is what was done and to what', async () => {
    const { memory, server } = createServers();
    const kept = { sent: true, id: 'a', done: true, deleted: false };
    await server().run('d', act({ data: { ...kept, note: 'x'.repeat(40_000) } }), ONCE);
    expect((await server().find('d', { signal })) as object).toMatchObject({ result: { data: kept } });
    expect(JSON.stringify(await memory.get('call d'))).not.toContain('xxx');
  });

  test('is nothing if it failed: what was claimed is taken back, also if it can’t be read', async () => {
    const memory = createMemoryState();
    const { server } = createServers({ ...memory, get: () => Promise.reject(new Error('away')) });
    await expect(server().run('d', act(new Error('refused')), ONCE)).rejects.toThrow('refused');
    expect(await memory.get('call d')).toBeUndefined();
  });
});

describe('a write that may run more than once', () => {
  /** A write that runs at a server. */
  async function open(store: ReturnType<ReturnType<typeof createServersOnFile>['server']>) {
    const { promise, resolve } = Promise.withResolvers<ToolResult>();
    const running = store.run('d', () => promise, ANY);
    await pass(0);
    return { resolve, running };
  }

  test('is in doubt for other servers while it runs, and if its server ends meanwhile; then nothing is left', async () => {
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

  test('runs twice at one server, and the first to fail leaves the note to the other', async () => {
    const { server } = createServersOnFile();
    const [first, second] = [server(), server()];
    const { resolve, running } = await open(first);
    await expect(first.run('d', act(new Error('refused')), ANY)).rejects.toThrow('refused');
    expect(await second.find('d', { signal })).toEqual(UNKNOWN);
    resolve(SENT);
    await running;
    expect(await second.find('d', { signal })).toBeUndefined();
  });

  test('is not noted if only this process remembers, and runs if the state can’t be read or written', async () => {
    const { server, note } = createServers();
    await server().run('d', act(), ANY);
    expect(note).not.toHaveBeenCalled();
    const away = createServersOnFile({
      get: () => Promise.reject(new Error('away')),
      writeEventually: async () => false,
    });
    expect(await away.server().run('d', act(), ANY)).toEqual(SENT);
  });
});
