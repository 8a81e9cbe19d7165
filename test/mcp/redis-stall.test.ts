import { expect, onTestFinished, test } from 'vitest';
import { openHostedState } from '../../mcp/state/open-hosted-state.ts';
import { hasRedis, NO_REDIS, startRedis } from '../support/redis-server.ts';

const title = `a server that stands still for longer than it waits for Redis takes the answer that came${hasRedis ? '' : ` (skipped: ${NO_REDIS})`}`;
test.skipIf(!hasRedis)(title, async () => {
  const redis = await startRedis();
  const codes: (string | undefined)[] = [];
  const state = await openHostedState({
    redisUrl: redis.url,
    secrets: ['a secret of more than thirty-two characters'],
    holdMs: 0,
    onStatusChange: (_, code) => codes.push(code),
    onFailure: () => undefined,
  });
  onTestFinished(async () => {
    await state.close();
    await redis.close();
  });
  await expect.poll(() => state.getStatus().up).toBe(true);
  for (let times = 0; times < 3; times++) {
    const until = Date.now() + 60_000;
    const asked = Promise.all([state.get('nothing'), state.putIfAbsent(`c${times}`, {}, until)]);
    // All that is asked stands on the wire; then nothing runs here, as under a long collection or on a machine that sleeps.
    await new Promise(process.nextTick);
    for (const from = performance.now(); performance.now() - from < 700; );
    expect(await asked).toEqual([undefined, undefined]);
  }
  expect(codes).toEqual([undefined]);
});
