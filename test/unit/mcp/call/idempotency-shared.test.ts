/** One call at two servers at once: who acts, who waits, for how long, and what is left. The clock stands. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createIdempotencyStore } from '../../../../mcp/call/idempotency.ts';
import { createMemoryState } from '../../../../mcp/state/memory-state.ts';
import type { SharedState } from '../../../../mcp/state/shared-state.ts';
import type { ToolResult } from '../../../../mcp/tool/tool.ts';
import { UnknownOutcomeError } from '../../../../src/errors.ts';
import { texts } from '../../../mcp/texts.ts';
import { clockedPause } from '../../../support/clocked-pause.ts';
import { watch } from '../../../support/watched.ts';

const START = Date.UTC(2026, 10, 22, 12);
beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const { signal } = new AbortController();
const ONCE = { deduplicate: true, mayRepeat: false, signal };
const AGAIN = { deduplicate: true, mayRepeat: true, signal };
const ANY = { deduplicate: false, mayRepeat: false, signal };
const SENT: ToolResult = { data: { sent: true, id: 'a', note: 'words' } };
const DOUBT = new UnknownOutcomeError('?', 'agreements.send');
const act = (answer: ToolResult = SENT) => vi.fn(async () => answer);
const failing = (error: Error) => () => Promise.reject(error);

/** Servers on one state, of which parts may be broken. */
function createServers(parts: Partial<SharedState> = {}) {
  const memory = createMemoryState();
  const look = vi.fn(memory.get);
  const state: SharedState = { ...memory, get: look, ...parts };
  const server = (own: Partial<SharedState> = {}) =>
    createIdempotencyStore({ state: async () => ({ ...state, ...own }), sleep: clockedPause });
  return { memory, look, server };
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
    expect(first).toEqual({ error });
    expect(second.value?.data).toEqual({ sent: true, id: 'second' });
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

  test.each<[string, number, boolean]>([
    ['has said so 8 s ago', 8400, true],
    ['has been silent for longer', 8600, false],
  ])('is waited for where it %s', async (_, ms, waits) => {
    const { memory, server } = createServers();
    const at = Date.now();
    await memory.put('call d', { status: 'running', by: 'another', at: at - 5000, alive: at }, at + 60_000);
    await pass(ms);
    const found = watch(server().find('d', { signal }));
    await pass(0);
    expect(found).toEqual(waits ? {} : { value: { kind: 'unknown', secondsAgo: 14 } });
    await memory.remove('call d');
    await pass(200);
    if (waits) expect(found).toEqual({ value: undefined });
  });

  test('and never said that it runs counts from its start', async () => {
    const { memory, server } = createServers();
    await memory.put('call d', { status: 'running', by: 'another', at: START }, START + 60_000);
    await pass(9000);
    expect(await server().find('d', { signal })).toEqual({ kind: 'unknown', secondsAgo: 9 });
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
    const servers = createServers({ ...memory, compareAndSwap: swap });
    const { resolve } = await openSend(servers);
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

describe('a doubt', () => {
  const doubted = async (servers = createServers()) => {
    await servers
      .server()
      .run('d', failing(DOUBT), ONCE)
      .catch(() => undefined);
    return servers;
  };

  test('that two servers are told to try again is tried by one, and the other waits for it', async () => {
    const { server } = await doubted();
    const { promise, resolve } = Promise.withResolvers<ToolResult>();
    const [one, two] = [vi.fn(() => promise), vi.fn(() => promise)];
    const both = [server().run('d', one, AGAIN), server().run('d', two, AGAIN)].map(watch);
    await pass(0);
    resolve(SENT);
    await pass(200);
    expect(one.mock.calls.length + two.mock.calls.length).toBe(1);
    expect(both.map(({ value }) => value?.data['repeated'])).toEqual([undefined, true]);
  });

  test('that was tried again and is in doubt once more stays one for the other', async () => {
    const { server } = await doubted();
    const { promise, reject } = Promise.withResolvers<ToolResult>();
    const two = act();
    const both = [server().run('d', () => promise, AGAIN), server().run('d', two, AGAIN)].map(watch);
    await pass(0);
    reject(DOUBT);
    await pass(200);
    expect(both[1]?.error).toMatchObject({ code: 'unknown_outcome' });
    expect(two).not.toHaveBeenCalled();
  });

  test('that was done meanwhile is not tried again', async () => {
    const { server } = createServers();
    await server().run('d', act(), ONCE);
    const mayRepeat = act();
    expect((await server().run('d', mayRepeat, AGAIN)).data).toMatchObject({ repeated: true });
    expect(mayRepeat).not.toHaveBeenCalled();
  });

  test('stays where what may run more than once has failed for another reason', async () => {
    const { server } = await doubted();
    await expect(server().run('d', failing(new Error('refused')), ANY)).rejects.toThrow('refused');
    expect(await server().find('d', { signal })).toMatchObject({ kind: 'unknown' });
  });
});

describe('what is left of a send', () => {
  test('is whole at its own server, where the state keeps no texts', async () => {
    const { server } = createServers({ canStoreUserText: false });
    const [here, there] = [server(), server()];
    await here.run('d', act(), ONCE);
    expect(await here.find('d', { signal })).toMatchObject({ result: SENT });
    expect((await here.run('d', act(), ONCE)).data).toMatchObject({ note: 'words' });
    expect((await there.run('d', act(), ONCE)).data).not.toHaveProperty('note');
  });

  test('says which words are ours: the message of a repetition', async () => {
    const { server } = createServers();
    await server().run('d', act(), ONCE);
    expect(await server().run('d', act(), ONCE)).toHaveProperty('trustedFields', ['message']);
  });

  test('is nothing where it failed: what was claimed is taken back, also where it can’t be read', async () => {
    const memory = createMemoryState();
    const get = () => Promise.reject(new Error('away'));
    const { server } = createServers({ ...memory, get });
    await expect(server().run('d', failing(new Error('refused')), ONCE)).rejects.toThrow('refused');
    expect(await memory.get('call d')).toBeUndefined();
  });

  test('is not written where there was nothing', async () => {
    const note = vi.fn(async () => true);
    const { server } = createServers({ writeEventually: note });
    await server().run('d', act(), ANY);
    expect(note).not.toHaveBeenCalled();
  });
});
