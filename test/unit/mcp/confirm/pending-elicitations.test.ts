/** Forms that several servers share: who opens one, who hears its answer, when, and what it costs. The clock stands. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AnswerOutcome } from '../../../../mcp/confirm/outcome.ts';
import { createPendingElicitations } from '../../../../mcp/confirm/pending-elicitations.ts';
import { createMemoryState } from '../../../../mcp/state/memory-state.ts';
import { type SharedState, StateUnavailableError } from '../../../../mcp/state/shared-state.ts';
import { fakeTimerSleep } from '../../../support/fake-timer-sleep.ts';
import { watch } from '../../../support/watched.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 22, 12) }));
afterEach(() => void vi.useRealTimers());

/** Servers on one state, whose looks are counted. */
function createServers(parts: Partial<SharedState> = {}) {
  const memory = createMemoryState({ secret: Buffer.alloc(32, 7) });
  const look = vi.fn(memory.get);
  const state: SharedState = { ...memory, get: look, ...parts };
  return { memory, look, server: () => createPendingElicitations({ state: async () => state, sleep: fakeTimerSleep }) };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const never = new AbortController().signal;
const WAIT_MS = 40_000;
const WORDS: readonly AnswerOutcome[] = ['accepted', 'declined', 'timed_out', 'not_shown', 'abandoned'];

describe('a form', () => {
  test('is opened by the first call, and joined by the others of the same, at any server', async () => {
    const { server } = createServers();
    const [here, there] = [server(), server()];
    expect(await here.openOrJoin('key', WAIT_MS)).toHaveProperty('isOwner', true);
    expect(await here.openOrJoin('key', WAIT_MS)).toHaveProperty('isOwner', false);
    expect(await there.openOrJoin('key', WAIT_MS)).toHaveProperty('isOwner', false);
    expect(await there.openOrJoin('another key', WAIT_MS)).toHaveProperty('isOwner', true);
  });

  test('of two calls in the same moment, is opened by one', async () => {
    const { server } = createServers();
    const entered = await Promise.all([server(), server(), server()].map((one) => one.openOrJoin('key', WAIT_MS)));
    expect(entered.map(({ isOwner }) => isOwner)).toEqual([true, false, false]);
  });

  test('stands until its time is over, and closes itself then', async () => {
    const { server } = createServers();
    const here = server();
    const form = await here.openOrJoin('key', 1000);
    const heard = [form, await server().openOrJoin('key', 9000)].map((one) => watch(one.waitForOutcome(never)));
    await pass(999);
    expect(await here.openOrJoin('key', 1000)).toHaveProperty('isOwner', false);
    expect(heard).toEqual([{}, {}]);
    await pass(1);
    expect(heard).toEqual([{ value: 'timed_out' }, { value: 'timed_out' }]);
    expect(await here.openOrJoin('key', 1000)).toHaveProperty('isOwner', true);
  });

  test('is told apart from others by its call', async () => {
    const { server } = createServers();
    const here = server();
    const [one, other] = [await here.openOrJoin('key', WAIT_MS), await here.openOrJoin('another', WAIT_MS)];
    const heard = [one, other].map((form) => watch(form.waitForOutcome(never)));
    await here.resolve('another', 'accepted');
    await pass(1000);
    expect(heard).toEqual([{}, { value: 'accepted' }]);
  });
});

describe('an answer', () => {
  test.each(WORDS)('%s is heard at once by all who wait here', async (outcome) => {
    const { server, look } = createServers();
    const here = server();
    const forms = [await here.openOrJoin('key', WAIT_MS), await here.openOrJoin('key', WAIT_MS)];
    const heard = forms.map((form) => watch(form.waitForOutcome(never)));
    await here.resolve('key', outcome);
    await pass(0);
    expect(heard).toEqual([{ value: outcome }, { value: outcome }]);
    // Nobody looks on.
    const looks = look.mock.calls.length;
    await pass(5000);
    expect(look).toHaveBeenCalledTimes(looks);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });

  test.each(WORDS)('%s is heard at the next look by those who wait elsewhere', async (outcome) => {
    const { server } = createServers();
    const here = server();
    await here.openOrJoin('key', WAIT_MS);
    const heard = watch((await server().openOrJoin('key', WAIT_MS)).waitForOutcome(never));
    await pass(100);
    await here.resolve('key', outcome);
    await pass(149);
    expect(heard).toEqual({});
    await pass(1);
    expect(heard).toEqual({ value: outcome });
  });

  test('given at another server is heard by who opened the form', async () => {
    const { server } = createServers();
    const form = await server().openOrJoin('key', WAIT_MS);
    const heard = watch(form.waitForOutcome(never));
    await server().resolve('key', 'accepted');
    await pass(250);
    expect(heard).toEqual({ value: 'accepted' });
  });

  test.each([
    [4999, 'accepted'],
    [5000, 'timed_out'],
  ])('is heard by who asks for it %i ms later: %s', async (ms, outcome) => {
    const { server } = createServers();
    const here = server();
    const form = await here.openOrJoin('key', WAIT_MS);
    await here.resolve('key', 'accepted');
    await pass(ms);
    expect(await form.waitForOutcome(never)).toBe(outcome);
  });

  test('closes the form: the next call opens a new one, and an answer of the old is none of the new', async () => {
    const { server } = createServers();
    const here = server();
    const old = await here.openOrJoin('key', WAIT_MS);
    const elsewhere = watch((await server().openOrJoin('key', WAIT_MS)).waitForOutcome(never));
    await pass(1);
    await here.resolve('key', 'accepted');
    const next = await here.openOrJoin('key', WAIT_MS);
    expect(next.isOwner).toBe(true);
    expect(await here.openOrJoin('key', WAIT_MS)).toHaveProperty('isOwner', false);
    const heard = watch(next.waitForOutcome(never));
    await pass(6000);
    expect(heard).toEqual({});
    expect(elsewhere).toEqual({ value: 'timed_out' });
    expect(await old.waitForOutcome(never)).toBe('timed_out');
    await here.resolve('key', 'declined');
    await pass(0);
    expect(heard).toEqual({ value: 'declined' });
  });

  test('is the first one: what comes after it changes nothing', async () => {
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

  test('to a form that is not open is none', async () => {
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
  ])('of another version of this server, %j, is taken as %s', async (outcome, heard) => {
    const { server, memory } = createServers();
    const form = await server().openOrJoin('key', WAIT_MS);
    const standing = await memory.get('form key');
    await memory.put('form key', { ...standing, outcome }, Date.now() + 1000);
    expect(await form.waitForOutcome(never)).toBe(heard);
  });
});

describe('who waits', () => {
  test('looks four times a second, and no more once it is cancelled: the reason is thrown', async () => {
    const { server, look } = createServers();
    await server().openOrJoin('key', WAIT_MS);
    const abort = new AbortController();
    const heard = watch((await server().openOrJoin('key', WAIT_MS)).waitForOutcome(abort.signal));
    await pass(0);
    expect(look).toHaveBeenCalledTimes(1);
    await pass(249);
    expect(look).toHaveBeenCalledTimes(1);
    await pass(751);
    expect(look).toHaveBeenCalledTimes(5);
    const reason = new Error('cancelled');
    abort.abort(reason);
    await pass(2000);
    expect(heard.error).toBe(reason);
    expect(look).toHaveBeenCalledTimes(5);
  });

  test('and is cancelled at the server that opened the form hears the reason, and the others wait on', async () => {
    const { server } = createServers();
    const here = server();
    const [own, other] = [await here.openOrJoin('key', WAIT_MS), await here.openOrJoin('key', WAIT_MS)];
    const abort = new AbortController();
    const cancelled = watch(own.waitForOutcome(abort.signal));
    const heard = watch(other.waitForOutcome(never));
    abort.abort('no more');
    await pass(0);
    expect(cancelled).toEqual({ error: 'no more' });
    await here.resolve('key', 'accepted');
    await pass(0);
    expect(heard).toEqual({ value: 'accepted' });
  });

  test('with a cancelled call hears the reason, as Node’s own timer is stopped', async () => {
    const state = createMemoryState();
    const forms = createPendingElicitations({ state: async () => state });
    const form = await forms.openOrJoin('key', WAIT_MS);
    const reason = new Error('cancelled');
    await expect(form.waitForOutcome(AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('and has an answer looks no more', async () => {
    const { server, look } = createServers();
    const here = server();
    const form = await here.openOrJoin('key', WAIT_MS);
    const heard = watch(form.waitForOutcome(never));
    await pass(250);
    await here.resolve('key', 'accepted');
    await pass(WAIT_MS);
    expect(heard).toEqual({ value: 'accepted' });
    // Two looks of who waits, and one of the answer.
    expect(look).toHaveBeenCalledTimes(3);
  });
});

describe('where the state is away', () => {
  const away = () => Promise.reject(new StateUnavailableError());

  test('no form is opened', async () => {
    const { server } = createServers({ putIfAbsent: away });
    await expect(server().openOrJoin('key', WAIT_MS)).rejects.toBeInstanceOf(StateUnavailableError);
  });

  test('who waits is told', async () => {
    const { server } = createServers({ get: away });
    const form = await server().openOrJoin('key', WAIT_MS);
    await expect(form.waitForOutcome(never)).rejects.toBeInstanceOf(StateUnavailableError);
  });

  test.each([
    ['seen', { get: away }],
    ['told', { compareAndSwap: away }],
  ])('an answer that can’t be %s is no error: its act was decided', async (_, parts) => {
    const { server } = createServers(parts);
    const here = server();
    await here.openOrJoin('key', WAIT_MS);
    expect(await here.resolve('key', 'accepted')).toBeUndefined();
  });

  test('an answer that can’t be told is heard here all the same', async () => {
    const { server } = createServers({ compareAndSwap: away });
    const here = server();
    const heard = watch((await here.openOrJoin('key', WAIT_MS)).waitForOutcome(never));
    await pass(0);
    await here.resolve('key', 'accepted');
    await pass(0);
    expect(heard).toEqual({ value: 'accepted' });
  });
});

test('a form that another call opens in the place of an answered one is joined', async () => {
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
  const heard = watch(form.waitForOutcome(never));
  await memory.put('form key', { id: 'of another', outcome: 'accepted' }, Date.now() + WAIT_MS);
  await pass(250);
  expect(heard).toEqual({ value: 'accepted' });
});
