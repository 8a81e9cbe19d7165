import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { closeAfterTest } from '../../support/cleanup.ts';
import { hasRedis, NO_REDIS, openRedisState, startRedis } from '../../support/redis-server.ts';

const title = `a server that stands still for longer than it waits for Redis takes the answer that came${hasRedis ? '' : ` (skipped: ${NO_REDIS})`}`;
test.skipIf(!hasRedis)(title, async () => {
  const redis = await closeAfterTest(startRedis());
  const { state, codes } = await openRedisState({ onTestFinished }, redis.url);
  await expect.poll(() => state.getStatus().up).toBe(true);
  for (let times = 0; times < 3; times++) {
    const until = Date.now() + 60_000;
    const asked = Promise.all([state.get('nothing'), state.putIfAbsent(`c${times}`, {}, until)]);
    // All commands are sent, then the event loop blocks, as during a long garbage collection or on a sleeping
    // machine.
    await new Promise(process.nextTick);
    for (const from = performance.now(); performance.now() - from < 700; );
    expect(await asked).toEqual([undefined, undefined]);
  }
  expect(codes()).toEqual(['up']);
});

test.skipIf(!hasRedis)('a swap that Redis answers too late is repeated and succeeds once', async () => {
  const redis = await closeAfterTest(startRedis());
  const { state } = await openRedisState({ onTestFinished }, redis.url);
  await expect.poll(() => state.getStatus().up).toBe(true);
  const until = Date.now() + 60_000;
  await state.put('turn', { turn: 1 }, until);
  const paused = spawnSync('redis-cli', ['-p', String(redis.port), 'client', 'pause', '900', 'write']);
  expect(paused.status).toBe(0);
  expect(await state.compareAndSwap('turn', { from: { turn: 1 }, to: { turn: 2 }, until })).toBe(true);
  expect(await state.compareAndSwap('turn', { from: { turn: 1 }, to: { turn: 3 }, until })).toBe(false);
  expect(await state.get('turn')).toEqual({ turn: 2 });
});
