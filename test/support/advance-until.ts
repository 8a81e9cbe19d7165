import { vi } from 'vitest';

/**
 * Advances the timers of this process until `work` has ended; sockets and servers stay real.
 * @returns its result. Fails if it takes longer than `mostMs` of the advanced clock.
 */
export async function advanceUntil<Result>(mostMs: number, work: () => Promise<Result>): Promise<{ result: Result }> {
  const wait = setTimeout;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const startedAt = performance.now();
    let ended: { result: Result } | undefined;
    const done = work().then((result) => {
      ended = { result };
    });
    done.catch(() => undefined);
    while (!ended && performance.now() - startedAt < mostMs) {
      // Sockets need real time.
      await Promise.race([done, new Promise((resolve) => wait(resolve, 5))]);
      await vi.advanceTimersByTimeAsync(100);
    }
    await Promise.race([done, new Promise((resolve) => wait(resolve, 200))]);
    if (!ended) throw new Error(`Not done after ${mostMs} ms.`);
    return ended;
  } finally {
    vi.useRealTimers();
  }
}
