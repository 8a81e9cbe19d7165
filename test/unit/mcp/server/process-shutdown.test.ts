/** When a server ends, and that it does: by its connection, by a signal, and where closing takes too long. */
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { installShutdownHandlers, SHUTDOWN_TIMEOUT_MS } from '../../../../mcp/server/process-shutdown.ts';

let exit: MockInstance;
let told: Map<string | symbol, () => Promise<void>>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  told = new Map();
  exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  vi.spyOn(process, 'on').mockImplementation((name, act) => {
    told.set(name, act as () => Promise<void>);
    return process;
  });
});
afterEach(() => void vi.restoreAllMocks().useRealTimers());

function tell(signal: string): Promise<void> {
  const act = told.get(signal);
  if (!act) throw new Error(`Nothing listens to ${signal}.`);
  return act();
}

const never = new Promise<void>(() => undefined);

test.each([
  ['SIGINT', true],
  ['SIGTERM', false],
  ['SIGHUP', false],
])('%s closes once, in a hurry or not, and the process ends behind that', async (signal, hurry) => {
  const closing = Promise.withResolvers<void>();
  const close = vi.fn(() => closing.promise);
  installShutdownHandlers(close, { ended: never });
  const ends = [tell(signal), tell('SIGTERM')];
  expect(close.mock.calls).toEqual([[hurry]]);
  expect(exit).not.toHaveBeenCalled();
  closing.reject(new Error('It could not be closed'));
  await Promise.all(ends);
  expect(exit.mock.calls).toEqual([[0]]);
});

test('the end of the connection is the end of the process', async () => {
  const close = vi.fn(async () => undefined);
  installShutdownHandlers(close, { ended: Promise.resolve() });
  await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(0));
  expect(close.mock.calls).toEqual([[false]]);
});

test.each([undefined, 1900])('what does not close in %s ms is given up, and not before', async (withinMs) => {
  installShutdownHandlers(() => never, { ended: never, timeoutMs: withinMs });
  void tell('SIGTERM');
  await vi.advanceTimersByTimeAsync(withinMs ?? SHUTDOWN_TIMEOUT_MS);
  expect(exit).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(exit).toHaveBeenCalledWith(0);
});
