/** One limiter for several clients of a process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import type { LimitStore } from '../../src/index.ts';
import { sharedLimiter } from '../../src/limit/limiter-registry.ts';

test('clients of one key at one origin share a limiter; other keys and origins have their own', () => {
  const one = sharedLimiter({ apiKey: 'a', origin: 'https://x.test' });
  expect(sharedLimiter({ apiKey: 'a', origin: 'https://x.test' })).toBe(one);
  expect(sharedLimiter({ apiKey: 'b', origin: 'https://x.test' })).not.toBe(one);
  expect(sharedLimiter({ apiKey: 'a', origin: 'https://y.test' })).not.toBe(one);
});

test('a limiter that nobody uses is let go after its window, not before', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  // Of its own: the clock of the one for all may have been set far ahead by a test before, so that nothing is swept.
  const store: LimitStore = { take: () => 0, pause: () => undefined };
  const start = async (apiKey: string) => {
    const limiter = sharedLimiter({ apiKey, origin: 'https://forgotten.test', store });
    await limiter.run(async () => undefined);
    return new WeakRef(limiter);
  };
  const ref = await start('once');
  await turn();
  collectGarbage();
  await turn();
  expect(ref.deref()).toBeDefined();
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10 * 60_000);
  try {
    await start('sweeps');
    // What the engine translates at the same time holds for a moment what it translates.
    for (let tries = 0; tries < 200 && ref.deref() !== undefined; tries++) {
      await sleep(10);
      collectGarbage();
      await turn();
    }
    expect(ref.deref()).toBeUndefined();
  } finally {
    now.mockRestore();
  }
});
