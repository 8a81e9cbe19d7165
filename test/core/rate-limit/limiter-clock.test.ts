/** Changes of the wall clock while calls wait: no burst, no stall. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLimiter } from '../../../src/index.ts';
import { mostInAnyMinute } from '../../support/counting-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HOUR_MS = 3_600_000;

async function startAcrossStep(stepMs: number, limiter = createLimiter()) {
  const starts: number[] = [];
  const runs = Promise.all(
    Array.from({ length: 500 }, () => limiter.run(async () => void starts.push(performance.now()))),
  );
  for (let second = 0; second < 250; second++) {
    if (second === 30 || second === 90) vi.setSystemTime(Date.now() + stepMs);
    await vi.advanceTimersByTimeAsync(1000);
  }
  await runs;
  return starts;
}

test.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])(
  '500 calls start within 244 s, at most 120 in any 60 s, even if the wall clock is set an hour %s',
  async (_, stepMs) => {
    const starts = await startAcrossStep(stepMs);
    expect(starts).toHaveLength(500);
    expect(mostInAnyMinute(starts)).toBeLessThanOrEqual(120);
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBe(4 * 60_900);
  },
);

test.each([HOUR_MS, -HOUR_MS])(
  'a pause has its requested length, even if the wall clock is set by %i ms',
  async (stepMs) => {
    const limiter = createLimiter();
    const from = performance.now();
    limiter.pause(5000);
    const run = limiter.run(async () => performance.now() - from, { maxWaitMs: 6000 });
    vi.setSystemTime(Date.now() + stepMs);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await run).toBe(5000);
  },
);
