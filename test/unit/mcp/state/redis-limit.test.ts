import { beforeEach, expect, test, vi } from 'vitest';
import type { RedisCommands } from '../../../../mcp/state/redis-client.ts';
import type { RedisConnection } from '../../../../mcp/state/redis-connection.ts';
import { createRedisRateLimit } from '../../../../mcp/state/redis-rate-limit.ts';
import type { LimitStore } from '../../../../src/index.ts';

beforeEach(() => void vi.useFakeTimers());

/** A limit, and the commands that its Redis received. */
function limitOver(roadMs: number, up = true) {
  const asked: (readonly [name: string, ...args: unknown[]])[] = [];
  const answers: Record<string, unknown> = { docshareTake: 0 };
  const redis = new Proxy({} as RedisCommands, {
    get:
      (_, name: string) =>
      async (...args: unknown[]) => {
        asked.push([name, ...args]);
        await new Promise((resolve) => setTimeout(resolve, roadMs));
        return answers[name] ?? 1;
      },
  });
  const link = { isUp: up, back: Number.NEGATIVE_INFINITY };
  const redisLink: Partial<RedisConnection> = {
    isAvailable: () => link.isUp,
    getKey: (kind, name) => `${kind} ${name}`,
    runCommand: (act) => act(redis),
    getStatus: () => ({ backend: 'redis', up: link.isUp, hasConnected: true, replicas: 4, holdMs: 0 }),
    backAt: () => link.back,
  };
  return { limit: createRedisRateLimit(redisLink as RedisConnection), link, asked, answers };
}

const request = (id: string, start = 'one') => ({ id, start, requests: 120, windowMs: 60_900, now: 0 });

async function timed(act: unknown): Promise<number> {
  const from = performance.now();
  let took = Number.NaN;
  void Promise.resolve(act).then(() => {
    took = performance.now() - from;
  });
  await vi.advanceTimersByTimeAsync(20_000);
  return took;
}

test.each([
  [10, 1],
  [280, 1],
  [350, 2],
  [590, 2],
])('with a latency of %i ms a start takes %i commands', async (roadMs, commands) => {
  const { limit, asked } = limitOver(roadMs);
  expect(await timed(limit.take(request('key')))).toBe(roadMs * commands);
  // The second command reverts the first.
  expect(asked.map((args) => args.at(-1))).toEqual(['', '1'].slice(0, commands));
});

test.each([Number.POSITIVE_INFINITY, 1e20, 9e15])('a pause of %d ms counts as a day', async (ms) => {
  const { limit, asked } = limitOver(1);
  await timed(limit.pause('key', Date.now() + ms));
  expect(asked).toEqual([['docshareHold', 'held key', 24 * 3_600_000]]);
});

test.each(['OK', [0, 1], { wait: 0 }])('the reply %j is invalid, so the local quota applies', async (answer) => {
  const { limit, answers } = limitOver(1);
  answers['docshareTake'] = answer;
  const taken = Promise.all([limit.take(request('key', 'a')), limit.take({ ...request('key', 'b'), requests: 1 })]);
  await vi.advanceTimersByTimeAsync(10);
  const [first, second] = await taken;
  expect(first).toBe(0);
  expect(second).toBeGreaterThan(1000);
});

const started = async (limit: LimitStore, count: number) => {
  const waits = Array.from({ length: count }, async (_, at) =>
    limit.take(request('key', `${at} ${performance.now()}`)),
  );
  await vi.advanceTimersByTimeAsync(20);
  return (await Promise.all(waits)).filter((waitMs) => waitMs === 0).length;
};

test('while Redis is unreachable, a replica starts limit ÷ replicas calls per window, including earlier ones', async () => {
  const { limit, link } = limitOver(1);
  expect(await started(limit, 12)).toBe(12);
  link.isUp = false;
  expect(await started(limit, 40)).toBe(18);
  expect((await limit.take(request('key'))) ?? 0).toBeGreaterThan(60_000);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await started(limit, 40)).toBe(30);
  expect(await started(limit, 40)).toBe(0);
});

test('for one window after Redis is back, the replica still applies its share, and nothing is replayed', async () => {
  const { limit, link, asked } = limitOver(1);
  link.isUp = false;
  expect(await started(limit, 40)).toBe(30);
  expect(asked).toEqual([]);
  Object.assign(link, { isUp: true, back: performance.now() });
  expect(await started(limit, 40)).toBe(0);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await started(limit, 40)).toBe(40);
});

test('a request that Redis delays is not counted locally', async () => {
  const { limit, link, answers } = limitOver(1);
  answers['docshareTake'] = 500;
  expect(await started(limit, 40)).toBe(0);
  link.isUp = false;
  expect(await started(limit, 40)).toBe(30);
});

test('a request that started late counts from its real start', async () => {
  const { limit, link } = limitOver(1);
  link.isUp = false;
  expect(await limit.take(request('key', 'late'))).toBe(0);
  await vi.advanceTimersByTimeAsync(30_000);
  void limit.renew?.(request('key', 'late'));
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await started(limit, 40)).toBe(29);
});
