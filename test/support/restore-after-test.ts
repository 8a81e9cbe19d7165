/** Runs before each file: the spies, fake timers and environment variables of a test end with the test. */
import { afterEach, vi } from 'vitest';

afterEach(() => {
  // Spies first: a spy of a fake timer, restored later, would bring the fake timer back.
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});
