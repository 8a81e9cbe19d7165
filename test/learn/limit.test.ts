import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { findClosestProfile } from '../../sandbox/render/learned/nearest-profile.ts';
import { withoutWaiting } from '../support/without-socket.ts';

test.for([
  'limiter=sliding+limitHint=seconds',
  'limiter=fixed+limitHint=date',
  'limiter=bucket+limitHint=none',
  'limiter=bucket+limitHint=x-ratelimit+limitCounts=all',
  'limiter=burst+limitHint=seconds',
  'limiter=burst+limitHint=ratelimit+limitCounts=all',
])('using the limit up tells how it is counted: %s', async (line) => {
  const sandbox = await createSandbox({
    seed: 1,
    clock: 'manual',
    at: '2026-06-01T09:00:41Z',
    profile: `preset:modern+${line}`,
  });
  try {
    const apiKey = sandbox.key();
    const clock = { now: () => sandbox.clock.now(), sleep: (ms: number) => sandbox.clock.advance(ms) };
    const transport = withoutWaiting(sandbox, 20);
    const { profile } = await learn({ apiKey, baseUrl: sandbox.url, topics: ['limit'], transport, limit: { clock } });
    const { limiter, limitHint, limitCounts } = sandbox.profile;
    const isCounted = limiter === 'bucket' || limiter === 'burst';
    expect(findClosestProfile(profile)).toMatchObject({ limiter, limitHint, ...(isCounted ? { limitCounts } : {}) });
    expect(profile.rejections.limited?.status).toBe(429);
  } finally {
    await sandbox.close();
  }
});
