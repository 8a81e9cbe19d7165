/** Listeners that throw: a call is neither rejected nor sent because of them, and none waits forever. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLimiter, defineClient } from '../../../src/index.ts';
import { createCountingService } from '../../support/counting-service.ts';
import { texts } from '../texts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SMALL = { requests: 1, windowMs: 1000 };

function fail(): never {
  throw new Error('a fault of the listener');
}

test.each([
  ['logger', { logger: fail }],
  ['hook', { hooks: { onWait: fail } }],
  ['hook that rejects', { hooks: { onWait: async () => fail() } }],
])('a %s that throws while calls wait changes nothing: each call is sent once and succeeds', async (_, faulty) => {
  const service = createCountingService({ counting: 'sliding', seed: 1 });
  const { transport } = service;
  // Throws only on the message about waiting: errors of the logger elsewhere are not the limiter's.
  const logger = 'logger' in faulty ? { logger: failOn(texts.waitingForTheRateLimit) } : {};
  const limiter = createLimiter(SMALL);
  const baseUrl = 'https://docshare.test/api/v1';
  const client = defineClient({ apiKey: 'key', baseUrl, transport, limiter, ...faulty, ...logger });
  const sends = ['a', 'b', 'c'].map((id) => client.agreements.send({ id }, { onWait: fail }));
  const ends = Promise.allSettled(sends);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(service.starts).toHaveLength(3);
});

function failOn(message: string) {
  return (_level: string, text: string) => {
    if (text === message) fail();
  };
}

test('an onWait that throws during a pause does not affect the other calls', async () => {
  const limiter = createLimiter(SMALL);
  const order: string[] = [];
  const run = (name: string) => limiter.run(async () => void order.push(name), { onWait: fail });
  const runs = ['first', 'second', 'third'].map(run);
  limiter.pause(3000);
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(runs);
  expect(order).toEqual(['first', 'second', 'third']);
});

test('a listener may call the limiter', async () => {
  const limiter = createLimiter(SMALL);
  const order: string[] = [];
  const inner: Promise<unknown>[] = [];
  const seen: number[] = [];
  const runs = [
    limiter.run(async () => void order.push('first')),
    limiter.run(async () => void order.push('second'), {
      onWait: () => {
        seen.push(limiter.expectedWaitMs());
        if (inner.length > 0) return;
        inner.push(limiter.run(async () => void order.push('inner'), { priority: 1 }));
        limiter.pause(1500);
      },
    }),
  ];
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all([...runs, ...inner]);
  expect(order).toEqual(['first', 'inner', 'second']);
  expect(seen[0]).toBe(2000);
});

test('an onStart that throws changes nothing', async () => {
  const limiter = createLimiter({ ...SMALL, onStart: fail });
  const runs = Promise.all([limiter.run(async () => 1), limiter.run(async () => 2)]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await runs).toEqual([1, 2]);
});
