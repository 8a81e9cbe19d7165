import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import type { createClient, Limiter, LimitStore } from '../../../src/index.ts';
import { getSharedLimiter } from '../../../src/rate-limit/limiter-registry.ts';

test('clients of one key at one origin share a limiter; other keys and origins have their own', () => {
  const one = getSharedLimiter({ apiKey: 'a', origin: 'https://x.test' });
  expect(getSharedLimiter({ apiKey: 'a', origin: 'https://x.test' })).toBe(one);
  expect(getSharedLimiter({ apiKey: 'b', origin: 'https://x.test' })).not.toBe(one);
  expect(getSharedLimiter({ apiKey: 'a', origin: 'https://y.test' })).not.toBe(one);
});

test('clients of two installed copies of the package share a limiter', async () => {
  const copy: { createClient: typeof createClient } = await import(`${import.meta.dirname}/../../../dist/src/index.js`);
  const options = { apiKey: 'two-copies', baseUrl: 'http://127.0.0.1:9/api/v1' };
  const limiter = getSharedLimiter({ apiKey: options.apiKey, origin: 'http://127.0.0.1:9' });
  await Promise.all(Array.from({ length: 120 }, () => limiter.run(async () => undefined)));
  const client = copy.createClient({ ...options, maxWaitMs: 10 });
  expect(client.expectedWaitMs()).toBeGreaterThan(1000);
  await expect(client.links.list()).rejects.toMatchObject({ name: 'RateLimitError' });
  await client.close();
});

const collectGarbage = () => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
};
const turn = () => new Promise((resolve) => setImmediate(resolve));
const MINUTE_MS = 60_000;

/** Its own registry: an earlier test may have moved the clock of the global one far ahead, so that nothing is swept. */
function createRegistry() {
  const store: LimitStore = { take: () => 0, pause: () => undefined };
  const limiterOf = (apiKey: string) => getSharedLimiter({ apiKey, origin: 'https://forgotten.test', store });
  return { limiterOf, start: (apiKey: string) => limiterOf(apiKey).run(async () => undefined) };
}

/** Returns whether a limiter is garbage-collected. V8 keeps a reference for a moment while it compiles. */
async function isLetGo(ref: WeakRef<object>, patience: number): Promise<boolean> {
  const collect = collectGarbage();
  for (let tries = 0; tries < patience && ref.deref() !== undefined; tries++) {
    await sleep(10);
    collect();
    await turn();
  }
  return ref.deref() === undefined;
}

/** Runs `act` with the clock moved ahead. */
async function later(ms: number, act: () => Promise<void>): Promise<void> {
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + ms);
  await act().finally(() => now.mockRestore());
}

test('an unused limiter is released after its window, not before', async () => {
  const { limiterOf, start } = createRegistry();
  await start('once');
  const ref = new WeakRef(limiterOf('once'));
  await turn();
  expect(await isLetGo(ref, 2)).toBe(false);
  await later(10 * MINUTE_MS, async () => {
    await start('sweeps');
    expect(await isLetGo(ref, 200)).toBe(true);
  });
});

test('an unused limiter is not released during a pause of the service', async () => {
  const { limiterOf, start } = createRegistry();
  const ref = new WeakRef(limiterOf('paused'));
  limiterOf('paused').pause(60 * MINUTE_MS);
  await later(10 * MINUTE_MS, async () => {
    await start('sweeps');
    await turn();
    expect(await isLetGo(ref, 3)).toBe(false);
    expect(limiterOf('paused').expectedWaitMs()).toBeGreaterThan(40 * MINUTE_MS);
  });
});

test('a limiter is released one window after its last start, not after its creation', async () => {
  const { limiterOf, start } = createRegistry();
  let used: object | undefined = limiterOf('long used');
  const ref = new WeakRef(used);
  await later(10 * MINUTE_MS, async () => {
    await (used as Limiter).run(async () => undefined);
    used = undefined;
    await turn();
    await start('sweeps');
    expect(await isLetGo(ref, 3)).toBe(false);
  });
});
