/** Forms that several servers share: which call opens one, which calls get its outcome, when, and at how many reads. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AnswerOutcome } from '../../../../mcp/confirm/outcome.ts';
import { createPendingElicitations } from '../../../../mcp/confirm/pending-elicitations.ts';
import { fakeTimerSleep } from '../../../support/fake-timer-sleep.ts';
import { createMemoryState, type SharedState, StateUnavailableError } from '../../../support/mcp-parts.ts';
import { watch } from '../../../support/watched.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 22, 12) }));
afterEach(() => void vi.useRealTimers());

/** Servers that share one state, whose reads are counted. */
function createServers(parts: Partial<SharedState> = {}) {
  const memory = createMemoryState({ secret: Buffer.alloc(32, 7) });
  const look = vi.fn(memory.get);
  const state: SharedState = { ...memory, get: look, ...parts };
  return { memory, look, server: () => createPendingElicitations({ state: async () => state, sleep: fakeTimerSleep }) };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const never = new AbortController().signal;
const WAIT_MS = 40_000;
const OUTCOMES: readonly AnswerOutcome[] = ['accepted', 'declined', 'timed_out', 'not_shown', 'abandoned'];

describe('a form', () => {
  test('is opened by the first call, and identical calls at any server join it', async () => {
    const { server } = createServers();
    const [here, there] = [server(), server()];
    expect(await here.openOrJoin('key', WAIT_MS)).toHaveProperty('isOwner', true);
    expect(await here.openOrJoin('key', WAIT_MS)).toHaveProperty('isOwner', false);
    expect(await there.openOrJoin('key', WAIT_MS)).toHaveProperty('isOwner', false);
    expect(await there.openOrJoin('another key', WAIT_MS)).toHaveProperty('isOwner', true);
  });

  test('is opened by one of several simultaneous calls', async () => {
    const { server } = createServers();
    const entered = await Promise.all([server(), server(), server()].map((one) => one.openOrJoin('key', WAIT_MS)));
    expect(entered.map(({ isOwner }) => isOwner)).toEqual([true, false, false]);
  });

  test('stays open until its timeout, and then closes', async () => {
    const { server } = createServers();
    const here = server();
    const form = await here.openOrJoin('key', 1000);
    const waiting = [form, await server().openOrJoin('key', 9000)].map((one) => watch(one.waitForOutcome(never)));
    await pass(999);
    expect(await here.openOrJoin('key', 1000)).toHaveProperty('isOwner', false);
    expect(waiting).toEqual([{}, {}]);
    await pass(1);
    expect(waiting).toEqual([{ value: 'timed_out' }, { value: 'timed_out' }]);
    expect(await here.openOrJoin('key', 1000)).toHaveProperty('isOwner', true);
  });

  test('is resolved only by the outcome of its own call', async () => {
    const { server } = createServers();
    const here = server();
    const [one, other] = [await here.openOrJoin('key', WAIT_MS), await here.openOrJoin('another', WAIT_MS)];
    const waiting = [one, other].map((form) => watch(form.waitForOutcome(never)));
    await here.resolve('another', 'accepted');
    await pass(1000);
    expect(waiting).toEqual([{}, { value: 'accepted' }]);
  });
});

describe('an outcome', () => {
  test.each(OUTCOMES)('%s reaches all waiting calls of this server at once', async (outcome) => {
    const { server, look } = createServers();
    const here = server();
    const forms = [await here.openOrJoin('key', WAIT_MS), await here.openOrJoin('key', WAIT_MS)];
    const waiting = forms.map((form) => watch(form.waitForOutcome(never)));
    await here.resolve('key', outcome);
    await pass(0);
    expect(waiting).toEqual([{ value: outcome }, { value: outcome }]);
    // Polling has stopped.
    const looks = look.mock.calls.length;
    await pass(5000);
    expect(look).toHaveBeenCalledTimes(looks);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });

  test.each(OUTCOMES)('%s reaches the waiting calls of other servers at their next poll', async (outcome) => {
    const { server } = createServers();
    const here = server();
    await here.openOrJoin('key', WAIT_MS);
    const waiting = watch((await server().openOrJoin('key', WAIT_MS)).waitForOutcome(never));
    await pass(100);
    await here.resolve('key', outcome);
    await pass(149);
    expect(waiting).toEqual({});
    await pass(1);
    expect(waiting).toEqual({ value: outcome });
  });

  test('of another server reaches the call that opened the form', async () => {
    const { server } = createServers();
    const form = await server().openOrJoin('key', WAIT_MS);
    const waiting = watch(form.waitForOutcome(never));
    await server().resolve('key', 'accepted');
    await pass(250);
    expect(waiting).toEqual({ value: 'accepted' });
  });

  test.each([
    [4999, 'accepted'],
    [5000, 'timed_out'],
  ])('is returned %i ms later as %s', async (ms, outcome) => {
    const { server } = createServers();
    const here = server();
    const form = await here.openOrJoin('key', WAIT_MS);
    await here.resolve('key', 'accepted');
    await pass(ms);
    expect(await form.waitForOutcome(never)).toBe(outcome);
  });

  test('closes the form, so that the next call opens a new one and gets its own outcome', async () => {
    const { server } = createServers();
    const here = server();
    const old = await here.openOrJoin('key', WAIT_MS);
    const elsewhere = watch((await server().openOrJoin('key', WAIT_MS)).waitForOutcome(never));
    await pass(1);
    await here.resolve('key', 'accepted');
    const next = await here.openOrJoin('key', WAIT_MS);
    expect(next.isOwner).toBe(true);
    expect(await here.openOrJoin('key', WAIT_MS)).toHaveProperty('isOwner', false);
    const waiting = watch(next.waitForOutcome(never));
    await pass(6000);
    expect(waiting).toEqual({});
    expect(elsewhere).toEqual({ value: 'timed_out' });
    expect(await old.waitForOutcome(never)).toBe('timed_out');
    await here.resolve('key', 'declined');
    await pass(0);
    expect(waiting).toEqual({ value: 'declined' });
  });

  test('is final: later ones change nothing', async () => {
    const { server } = createServers();
    const here = server();
    const form = await here.openOrJoin('key', WAIT_MS);
    await here.resolve('key', 'declined');
    await pass(3000);
    await server().resolve('key', 'accepted');
    expect(await form.waitForOutcome(never)).toBe('declined');
    await pass(2000);
    expect(await form.waitForOutcome(never)).toBe('timed_out');
  });

  test('of a form that is not open is ignored', async () => {
    const swap = vi.fn();
    const { server, memory } = createServers({ compareAndSwap: swap });
    await server().resolve('key', 'accepted');
    expect(swap).not.toHaveBeenCalled();
    expect(await memory.get('form key')).toBeUndefined();
  });

  test.each([
    ['maybe', 'abandoned'],
    [true, 'abandoned'],
    ['', 'abandoned'],
    [null, 'abandoned'],
  ])('of another server version, %j, counts as %s', async (outcome, expected) => {
    const { server, memory } = createServers();
    const form = await server().openOrJoin('key', WAIT_MS);
    const stored = await memory.get('form key');
    await memory.put('form key', { ...stored, outcome }, Date.now() + 1000);
    expect(await form.waitForOutcome(never)).toBe(expected);
  });
});

describe('a waiting call', () => {
  test('polls four times per second until it is cancelled, and throws the reason', async () => {
    const { server, look } = createServers();
    await server().openOrJoin('key', WAIT_MS);
    const abort = new AbortController();
    const waiting = watch((await server().openOrJoin('key', WAIT_MS)).waitForOutcome(abort.signal));
    await pass(0);
    expect(look).toHaveBeenCalledTimes(1);
    await pass(249);
    expect(look).toHaveBeenCalledTimes(1);
    await pass(751);
    expect(look).toHaveBeenCalledTimes(5);
    const reason = new Error('cancelled');
    abort.abort(reason);
    await pass(2000);
    expect(waiting.error).toBe(reason);
    expect(look).toHaveBeenCalledTimes(5);
  });

  test('that is cancelled gets the reason, and the other calls keep waiting', async () => {
    const { server } = createServers();
    const here = server();
    const [own, other] = [await here.openOrJoin('key', WAIT_MS), await here.openOrJoin('key', WAIT_MS)];
    const abort = new AbortController();
    const cancelled = watch(own.waitForOutcome(abort.signal));
    const waiting = watch(other.waitForOutcome(never));
    abort.abort('no more');
    await pass(0);
    expect(cancelled).toEqual({ error: 'no more' });
    await here.resolve('key', 'accepted');
    await pass(0);
    expect(waiting).toEqual({ value: 'accepted' });
  });

  test('that was cancelled before gets the reason, also with real timers', async () => {
    const state = createMemoryState();
    const forms = createPendingElicitations({ state: async () => state });
    const form = await forms.openOrJoin('key', WAIT_MS);
    const reason = new Error('cancelled');
    await expect(form.waitForOutcome(AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('stops polling once it has the outcome', async () => {
    const { server, look } = createServers();
    const here = server();
    const form = await here.openOrJoin('key', WAIT_MS);
    const waiting = watch(form.waitForOutcome(never));
    await pass(250);
    await here.resolve('key', 'accepted');
    await pass(WAIT_MS);
    expect(waiting).toEqual({ value: 'accepted' });
    // Two reads by the waiting call, and one when the form is resolved.
    expect(look).toHaveBeenCalledTimes(3);
  });
});

describe('if the state is unavailable', () => {
  const away = () => Promise.reject(new StateUnavailableError());

  test('no form is opened', async () => {
    const { server } = createServers({ putIfAbsent: away });
    await expect(server().openOrJoin('key', WAIT_MS)).rejects.toBeInstanceOf(StateUnavailableError);
  });

  test('waiting calls get the error', async () => {
    const { server } = createServers({ get: away });
    const form = await server().openOrJoin('key', WAIT_MS);
    await expect(form.waitForOutcome(never)).rejects.toBeInstanceOf(StateUnavailableError);
  });

  test.each([
    ['read', { get: away }],
    ['written', { compareAndSwap: away }],
  ])('an outcome that cannot be %s is not an error, as the user has decided', async (_, parts) => {
    const { server } = createServers(parts);
    const here = server();
    await here.openOrJoin('key', WAIT_MS);
    expect(await here.resolve('key', 'accepted')).toBeUndefined();
  });

  test('an outcome that cannot be written still reaches the calls of this server', async () => {
    const { server } = createServers({ compareAndSwap: away });
    const here = server();
    const waiting = watch((await here.openOrJoin('key', WAIT_MS)).waitForOutcome(never));
    await pass(0);
    await here.resolve('key', 'accepted');
    await pass(0);
    expect(waiting).toEqual({ value: 'accepted' });
  });
});

test('a form that another call opens in the meantime is joined', async () => {
  const { server, memory } = createServers();
  const here = server();
  await here.openOrJoin('key', WAIT_MS);
  await here.resolve('key', 'accepted');
  const beaten = createServers({
    putIfAbsent: memory.putIfAbsent,
    get: memory.get,
    compareAndSwap: async (key) => {
      await memory.put(key, { id: 'of another' }, Date.now() + WAIT_MS);
      return false;
    },
  }).server();
  const form = await beaten.openOrJoin('key', WAIT_MS);
  expect(form.isOwner).toBe(false);
  const waiting = watch(form.waitForOutcome(never));
  await memory.put('form key', { id: 'of another', outcome: 'accepted' }, Date.now() + WAIT_MS);
  await pass(250);
  expect(waiting).toEqual({ value: 'accepted' });
});
