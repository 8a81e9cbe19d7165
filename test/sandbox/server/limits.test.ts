import { expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxProfileInput } from '../../../sandbox/index.ts';
import { askService } from '../../support/ask-service.ts';
import { closeAfterTest } from '../../support/cleanup.ts';

let sandbox: Sandbox;
let key: string;

async function start(profile: SandboxProfileInput): Promise<void> {
  sandbox = await closeAfterTest(createSandbox({ profile, clock: 'manual', data: 'empty' }));
  key = sandbox.key();
  // A fixed window begins with the minute.
  await sandbox.clock.advance(60_000 - (sandbox.clock.now() % 60_000));
}

const headers = () => ({ authorization: `Bearer ${key}` });
const call = () => fetch(`${sandbox.url}/billing/usage`, { headers: headers() });

/** Counts the accepted calls of this many in a row, after a wait. */
async function admitted(calls: number, waitMs = 0): Promise<number> {
  await sandbox.clock.advance(waitMs);
  const asked = { method: 'GET', headers: headers() };
  const responses = await Promise.all(
    Array.from({ length: calls }, () => askService(`${sandbox.url}/billing/usage`, asked)),
  );
  expect(responses.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  return responses.filter(({ status }) => status === 200).length;
}

test.each<['sliding' | 'fixed' | 'bucket' | 'burst', calls: [count: number, msLater?: number][], accepted: number[]]>([
  ['sliding', [[100], [30, 30_000], [1, 29_999], [130, 1]], [100, 20, 0, 100]],
  [
    'fixed',
    [
      [121, 59_000],
      [1, 999],
      [121, 1],
    ],
    [120, 0, 120],
  ],
  // Refills by two per second.
  ['bucket', [[121], [1, 499], [2, 1], [30, 10_000]], [120, 0, 1, 20]],
  ['burst', [[15], [5, 1_000]], [10, 2]],
])('with the rate limiter %s, of %j calls so many ms later, %j are accepted', async (rateLimiter, calls, accepted) => {
  await start({ rateLimiter });
  for (const [at, [count, msLater]] of calls.entries()) expect(await admitted(count, msLater)).toBe(accepted[at]);
});

test('if rejected requests count too, further calls keep the window full', async () => {
  await start({ rateLimiter: 'sliding', rateLimitCounts: 'all' });
  expect(await admitted(121)).toBe(120);
  expect(await admitted(120, 30_000)).toBe(0);
  expect(await admitted(1, 30_000)).toBe(0);
  expect(await admitted(1, 60_000)).toBe(1);
});

test('each key has its own limit', async () => {
  await start('modern');
  expect(await admitted(121)).toBe(120);
  key = sandbox.key();
  expect(await admitted(1)).toBe(1);
});

test.each([
  ['seconds', () => ({ 'retry-after': '60' })],
  ['date', (now: number) => ({ 'retry-after': new Date(now + 60_000).toUTCString() })],
  ['ratelimit', () => ({ 'ratelimit-limit': '120', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' })],
  ['ratelimit-policy', () => ({ ratelimit: '"default";r=0;t=60', 'ratelimit-policy': '"default";q=120;w=60' })],
  ['x-ratelimit', (now: number) => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 60) })],
  ['none', () => ({})],
] as const)('a 429 says when to retry: %s', async (rateLimitHeaders, headersAt) => {
  await start({ rateLimitHeaders });
  await admitted(120);
  const refused = await call();
  expect(refused.status).toBe(429);
  const found = Object.fromEntries([...refused.headers].filter(([name]) => /retry|ratelimit/.test(name)));
  expect(found).toMatchObject(headersAt(sandbox.clock.now()));
  if (rateLimitHeaders === 'none') expect(found).toEqual({});
});

test('a retry after the time of the hint is accepted', async () => {
  for (const rateLimiter of ['sliding', 'fixed', 'bucket', 'burst'] as const) {
    await start({ rateLimiter });
    await sandbox.clock.advance(7_300);
    await admitted(130);
    const seconds = Number((await call()).headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    await sandbox.clock.advance(seconds * 1000);
    expect((await call()).status).toBe(200);
  }
});
