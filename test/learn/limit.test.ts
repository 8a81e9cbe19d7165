import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { withoutWaiting } from '../support/without-socket.ts';

test.for([
  'rateLimiter=sliding+rateLimitHeaders=seconds',
  'rateLimiter=fixed+rateLimitHeaders=date',
  'rateLimiter=bucket+rateLimitHeaders=none',
  'rateLimiter=bucket+rateLimitHeaders=x-ratelimit+rateLimitCounts=all',
  'rateLimiter=burst+rateLimitHeaders=seconds',
  'rateLimiter=burst+rateLimitHeaders=ratelimit+rateLimitCounts=all',
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
    const { rateLimiter, rateLimitHeaders, rateLimitCounts } = sandbox.profile;
    const isCounted = rateLimiter === 'bucket' || rateLimiter === 'burst';
    expect(profile.facts.limit).toMatchObject({
      kind: rateLimiter,
      hint: rateLimitHeaders,
      ...(isCounted ? { counts: rateLimitCounts } : {}),
    });
    expect(profile.rejections.limited?.status).toBe(429);
  } finally {
    await sandbox.close();
  }
});
