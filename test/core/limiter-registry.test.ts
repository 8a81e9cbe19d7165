/** One limiter for several clients of a process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
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
  const start = async (apiKey: string) => {
    const limiter = sharedLimiter({ apiKey, origin: 'https://forgotten.test' });
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
    await turn();
    collectGarbage();
    await turn();
    expect(ref.deref()).toBeUndefined();
  } finally {
    now.mockRestore();
  }
});
