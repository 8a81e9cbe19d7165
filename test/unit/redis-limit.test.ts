/** What is asked of Redis for the limit, and when. In virtual time, of one that answers after as long as a test says. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RedisCommands } from '../../mcp/state/redis-client.ts';
import type { RedisConnection } from '../../mcp/state/redis-connection.ts';
import { createRedisRateLimit } from '../../mcp/state/redis-rate-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A limit, and the commands that its Redis got. */
function limitOver(roadMs: number, up = true) {
  const asked: (readonly [name: string, ...args: unknown[]])[] = [];
  const answers: Record<string, unknown> = { docshareTake: [0, 1], zcard: 0 };
  const redis = new Proxy({} as RedisCommands, {
    get:
      (_, name: string) =>
      async (...args: unknown[]) => {
        asked.push([name, ...args]);
        await new Promise((resolve) => setTimeout(resolve, roadMs));
        return answers[name] ?? 1;
      },
  });
  const link: Partial<RedisConnection> = {
    isAvailable: () => up,
    getKey: (kind, name) => `${kind} ${name}`,
    runCommand: (act) => act(redis),
    getStatus: () => ({ backend: 'redis', up, hasConnected: true, replicas: 1, holdMs: 0 }),
    lostAt: () => performance.now(),
  };
  return { limit: createRedisRateLimit(() => link as RedisConnection), redis, asked, answers };
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
])('over a road of %i ms a start is booked by %i commands', async (roadMs, commands) => {
  const { limit, asked } = limitOver(roadMs);
  expect(await timed(limit.take(request('key')))).toBe(roadMs * commands);
  // The second takes back what the first booked.
  expect(asked.map((args) => args.at(-1))).toEqual(['', '1'].slice(0, commands));
});

test.each([Number.POSITIVE_INFINITY, 1e20, 9e15])('a pause of %d ms is one of a day', async (ms) => {
  const { limit, redis, asked } = limitOver(1);
  await timed(limit.pause('key', Date.now() + ms));
  await timed(limit.replay(redis, true));
  const day = 24 * 3_600_000;
  expect(asked).toEqual([
    ['docshareHold', 'held key', day],
    ['docshareHold', 'held key', day - 20_000],
  ]);
});

test('a pause that is shorter than the one before takes nothing of it back', async () => {
  const { limit, redis, asked } = limitOver(1);
  await timed(limit.pause('key', Date.now() + 90_000));
  await timed(limit.pause('key', Date.now() + 2000));
  asked.length = 0;
  await timed(limit.replay(redis, true));
  expect(asked).toEqual([['docshareHold', 'held key', 50_000]]);
});

test.each(['OK', null, [], ['no number']])(
  'an answer of %j is none of the script: the own share counts',
  async (answer) => {
    const { limit, answers } = limitOver(1);
    answers['docshareTake'] = answer;
    const taken = Promise.all([
      limit.take(request('key', 'one')),
      limit.take({ ...request('key', 'two'), requests: 1 }),
    ]);
    await vi.advanceTimersByTimeAsync(10);
    const [first, second] = await taken;
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(1000);
  },
);

test('what happened to a thousand limits is told in one breath, and what is over is not told', async () => {
  const { limit, redis, asked } = limitOver(30, false);
  for (let count = 0; count < 1000; count++) await limit.take(request(`key ${count}`));
  await timed(limit.pause('soon over', Date.now() + 1000));
  asked.length = 0;
  expect(await timed(limit.replay(redis, false))).toBeLessThan(100);
  expect(asked).toHaveLength(1000);
  asked.length = 0;
  await timed(limit.replay(redis, false));
  expect(asked).toEqual([]);
  await timed(limit.replay(redis, true));
  expect(asked).toHaveLength(1000);
});

test('of twenty thousand limits, a beat asks for a thousand at once', async () => {
  const { limit, redis, asked } = limitOver(30, false);
  for (let count = 0; count < 20_000; count++) await limit.take(request(`key ${count}`));
  expect(await timed(limit.refreshUsage(redis))).toBeLessThan(100);
  expect(asked).toHaveLength(1000);
});
