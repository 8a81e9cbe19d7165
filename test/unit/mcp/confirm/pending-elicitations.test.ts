/**
 * Confirmation forms that several servers share: which call opens one, which calls receive its outcome, and how often
 * the state is read.
 */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AnswerOutcome } from '../../../../mcp/confirm/outcome.ts';
import { createPendingElicitations } from '../../../../mcp/confirm/pending-elicitations.ts';
import { fakeTimerSleep } from '../../../support/fake-timer-sleep.ts';
import { createMemoryState, type SharedState, StateUnavailableError } from '../../../support/mcp-parts.ts';
import { observePromise } from '../../../support/observe-promise.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 22, 12) }));
afterEach(() => void vi.useRealTimers());

/** Servers that share one state and count its reads. */
function createServers(parts: Partial<SharedState> = {}) {
  const memory = createMemoryState({ secret: Buffer.alloc(32, 7) });
  const look = vi.fn(memory.get);
  const state: SharedState = { ...memory, get: look, ...parts };
  return { memory, look, server: () => createPendingElicitations({ state: async () => state, sleep: fakeTimerSleep }) };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const never = new AbortController().signal;
const WAIT_MS = 40_000;
const OUTCOMES: readonly AnswerOutcome[] = ['accepted', 'declined'];

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
    const waiting = [form, await server().openOrJoin('key', 9000)].map((one) =>
      observePromise(one.waitForOutcome(never)),
    );
    await pass(999);
    expect(await here.openOrJoin('key', 1000)).toHaveProperty('isOwner', false);
    expect(waiting).toEqual([{}, {}]);
    await pass(1);
    expect(waiting).toEqual([{ value: 'timed_out' }, { value: 'timed_out' }]);
    expect(await here.openOrJoin('key', 1000)).toHaveProperty('isOwner', true);
  });
});

describe('an outcome', () => {
  test.each(OUTCOMES)('%s reaches all waiting calls of this server at once', async (outcome) => {
    const { server, look } = createServers();
    const here = server();
    const forms = [await here.openOrJoin('key', WAIT_MS), await here.openOrJoin('key', WAIT_MS)];
    const waiting = forms.map((form) => observePromise(form.waitForOutcome(never)));
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
    const waiting = observePromise((await server().openOrJoin('key', WAIT_MS)).waitForOutcome(never));
    await pass(100);
    await here.resolve('key', outcome);
    await pass(149);
    expect(waiting).toEqual({});
    await pass(1);
    expect(waiting).toEqual({ value: outcome });
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
    const elsewhere = observePromise((await server().openOrJoin('key', WAIT_MS)).waitForOutcome(never));
    await pass(1);
    await here.resolve('key', 'accepted');
    const next = await here.openOrJoin('key', WAIT_MS);
    expect(next.isOwner).toBe(true);
    expect(await here.openOrJoin('key', WAIT_MS)).toHaveProperty('isOwner', false);
    const waiting = observePromise(next.waitForOutcome(never));
    await pass(6000);
    expect(waiting).toEqual({});
    expect(elsewhere).toEqual({ value: 'timed_out' });
    expect(await old.waitForOutcome(never)).toBe('timed_out');
    await here.resolve('key', 'declined');
    await pass(0);
    expect(waiting).toEqual({ value: 'declined' });
  });
});

describe('a waiting call', () => {
  test('polls four times per second until it is cancelled, and throws the reason', async () => {
    const { server, look } = createServers();
    await server().openOrJoin('key', WAIT_MS);
    const abort = new AbortController();
    const waiting = observePromise((await server().openOrJoin('key', WAIT_MS)).waitForOutcome(abort.signal));
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
    const cancelled = observePromise(own.waitForOutcome(abort.signal));
    const waiting = observePromise(other.waitForOutcome(never));
    abort.abort('no more');
    await pass(0);
    expect(cancelled).toEqual({ error: 'no more' });
    await here.resolve('key', 'accepted');
    await pass(0);
    expect(waiting).toEqual({ value: 'accepted' });
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

  test('an outcome that cannot be written still reaches the calls of this server', async () => {
    const { server } = createServers({ compareAndSwap: away });
    const here = server();
    const waiting = observePromise((await here.openOrJoin('key', WAIT_MS)).waitForOutcome(never));
    await pass(0);
    await here.resolve('key', 'accepted');
    await pass(0);
    expect(waiting).toEqual({ value: 'accepted' });
  });
});
