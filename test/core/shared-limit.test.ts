/** One limit for several processes, and one limiter for several clients of a process. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLimiter, type LimitStore, openSqliteLimitStore } from '../../src/index.ts';
import { sharedLimiter } from '../../src/limit/limiter-registry.ts';

const worker = fileURLToPath(new URL('../world/limit-worker.ts', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docshare-limit-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('four processes with one file stay within the limit together and use all of it', async () => {
  const [requests, windowMs, calls] = [40, 1500, 40];
  const path = join(folder, 'four.db');
  const args = [worker, path, String(calls), String(requests), String(windowMs)];
  const outputs = await Promise.all(
    Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['--no-warnings', ...args])),
  );
  const starts = outputs.flatMap(({ stdout }): number[] => JSON.parse(stdout)).sort((a, b) => a - b);
  expect(starts).toHaveLength(4 * calls);
  // A start is booked just before it happens, in a process that others may hold up for a moment.
  const slackMs = 100;
  for (const [index, at] of starts.entries()) {
    const earlier = starts[index - requests];
    if (earlier !== undefined) expect(at - earlier).toBeGreaterThan(windowMs - slackMs);
  }
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeLessThan(windowMs * 3 * 2);
});

test('a pause in one process holds the others', async () => {
  const path = join(folder, 'pause.db');
  const [one, other] = [await openSqliteLimitStore(path), await openSqliteLimitStore(path)];
  const refused = createLimiter({ shared: { store: one, id: 'key' } });
  const bystander = createLimiter({ shared: { store: other, id: 'key' } });
  const stranger = createLimiter({ shared: { store: other, id: 'another key' } });
  const from = Date.now();
  refused.pause(300);
  expect((await stranger.run(async () => Date.now())) - from).toBeLessThan(250);
  expect((await bystander.run(async () => Date.now())) - from).toBeGreaterThanOrEqual(299);
  one.close();
  other.close();
});

test('a held file is asked again, and a broken store ends the call with its error', async () => {
  let asked = 0;
  const store: LimitStore = {
    take: async () => {
      asked += 1;
      if (asked === 3) throw new Error('the disk is full');
      return asked === 1 ? 5 : 0;
    },
    pause: () => undefined,
  };
  const limiter = createLimiter({ shared: { store, id: 'key' } });
  expect(await limiter.run(async () => asked)).toBe(2);
  await expect(limiter.run(async () => 'ran')).rejects.toThrow('the disk is full');
  expect(await limiter.run(async () => 'ran')).toBe('ran');
});

test('calls that wait for a shared limit start by priority and can be cancelled', async () => {
  let open = false;
  const store: LimitStore = { take: () => (open ? 0 : 10), pause: () => undefined };
  const limiter = createLimiter({ shared: { store, id: 'key' } });
  const order: string[] = [];
  const control = new AbortController();
  const bulk = limiter.run(async () => void order.push('bulk'));
  const left = limiter
    .run(async () => void order.push('left'), { signal: control.signal })
    .catch((why) => why);
  const person = limiter.run(async () => void order.push('person'), { priority: 1 });
  control.abort('left');
  open = true;
  await Promise.all([bulk, person]);
  expect([order, await left]).toEqual([['person', 'bulk'], 'left']);
});

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
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10 * 60_000);
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
