/** Runs before each file: the spies, fake timers, environment variables and rate limits of a test end with the test. */
import { afterEach, vi } from 'vitest';

afterEach(() => {
  // Spies first: a spy of a fake timer, restored later, would bring the fake timer back.
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
  // Limiters are shared by origin and key: the next test's service may get the same port, and have the same key.
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (Symbol.keyFor(symbol)?.startsWith('docshare.limiters.')) Reflect.deleteProperty(globalThis, symbol);
});
