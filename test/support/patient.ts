import { vi } from 'vitest';

/**
 * Lets the clocks of this process run ahead of the wall's until `work` has ended; sockets and servers stay real.
 * @returns what it came to; fails where it is not done after `mostMs` of its own clock.
 */
export async function outlast<Result>(mostMs: number, work: () => Promise<Result>): Promise<{ result: Result }> {
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
      // Bytes on a socket need time of the wall.
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
