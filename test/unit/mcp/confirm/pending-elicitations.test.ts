/** Confirmation forms that several calls share: which call opens one, and which outcome each call gets. */
import { beforeEach, expect, test, vi } from 'vitest';
import { createPendingElicitations } from '../../../../mcp/confirm/pending-elicitations.ts';
import { fakeTimerSleep } from '../../../support/fake-timer-sleep.ts';
import { createMemoryState, type SharedState, StateUnavailableError } from '../../../support/mcp-parts.ts';
import { observePromise } from '../../../support/observe-promise.ts';

beforeEach(() => void vi.useFakeTimers());

/** Servers that share one state, whose methods `parts` can replace. */
function createServers(parts: Partial<SharedState> = {}) {
  const state: SharedState = { ...createMemoryState(), ...parts };
  return () => createPendingElicitations({ state: async () => state, sleep: fakeTimerSleep });
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const never = new AbortController().signal;
const WAIT_MS = 40_000;

test('one of several simultaneous calls opens the form, and the others join it', async () => {
  const server = createServers();
  const forms = await Promise.all([server(), server(), server()].map((one) => one.openOrJoin('key', WAIT_MS)));
  expect(forms.map(({ isOwner }) => isOwner)).toEqual([true, false, false]);
});

test.each<[string, Partial<SharedState>]>([
  ['at once', {}],
  ['even if it cannot be written', { compareAndSwap: () => Promise.reject(new StateUnavailableError()) }],
])('an outcome reaches the other calls of its server %s', async (_, parts) => {
  const server = createServers(parts)();
  const [form, cancelled] = [await server.openOrJoin('key', WAIT_MS), await server.openOrJoin('key', WAIT_MS)];
  const abort = new AbortController();
  const waiting = [observePromise(form.waitForOutcome(never)), observePromise(cancelled.waitForOutcome(abort.signal))];
  abort.abort('no more');
  await pass(0);
  expect(waiting).toEqual([{}, { error: 'no more' }]);
  await server.resolve('key', 'accepted');
  await pass(0);
  expect(waiting[0]).toEqual({ value: 'accepted' });
});

test('an outcome closes the form, so that the next call opens a new one and gets its own outcome', async () => {
  const server = createServers();
  const here = server();
  await here.openOrJoin('key', WAIT_MS);
  const elsewhere = observePromise((await server().openOrJoin('key', WAIT_MS)).waitForOutcome(never));
  await pass(1);
  await here.resolve('key', 'accepted');
  await here.resolve('key', 'declined');
  const next = await here.openOrJoin('key', WAIT_MS);
  expect(next.isOwner).toBe(true);
  const waiting = observePromise(next.waitForOutcome(never));
  await pass(6000);
  expect([waiting, elsewhere]).toEqual([{}, { value: 'timed_out' }]);
  await here.resolve('key', 'declined');
  await pass(0);
  expect(waiting).toEqual({ value: 'declined' });
});

test('a held form outlasts its lease, and ends soon after its server was killed', async () => {
  let isKilled = false;
  const state = createMemoryState();
  const compareAndSwap: SharedState['compareAndSwap'] = async (...args) => !isKilled && state.compareAndSwap(...args);
  const server = createServers({ ...state, compareAndSwap });
  await server().openOrJoin('key', WAIT_MS, true);
  await pass(30_000);
  const elsewhere = observePromise((await server().openOrJoin('key', WAIT_MS, true)).waitForOutcome(never));
  isKilled = true;
  await pass(9000);
  expect(elsewhere).toEqual({ value: 'abandoned' });
});
