import { beforeEach, expect, test } from 'vitest';
import { type AdaptiveRate, createAdaptiveRate } from '../../../../src/rate-limit/adaptive-rate.ts';

const EVEN = 500;
const MINUTE = 60_000;
let pace: AdaptiveRate;
beforeEach(() => {
  pace = createAdaptiveRate({ requests: 120, windowMs: MINUTE, concurrency: 40 });
});

test('429s of later calls double the interval, up to eight times the even one', () => {
  const gaps = [1, 2, 3, 4, 5, 6].map((at) => {
    pace.onRejected(at * 10, at * 10 + 1);
    return pace.intervalMs(at * 10 + 1);
  });
  expect(gaps).toEqual([EVEN, 2 * EVEN, 4 * EVEN, 8 * EVEN, 8 * EVEN, 8 * EVEN]);
});

test('the interval halves after every two quiet minutes, and ends below a quarter of the even one', () => {
  pace.onRejected(1, 10);
  const at = (minutes: number) => pace.intervalMs(10 + minutes * MINUTE);
  expect([at(1.9), at(2), at(3.9), at(4), at(6), at(8)]).toEqual([EVEN, EVEN / 2, EVEN / 2, EVEN / 4, 0, 0]);
});

test('after a speed-up that got a 429 the next one comes later: after 4 minutes, then 8, at most 30', () => {
  let now = 10;
  pace.onRejected(1, now);
  const quiet = [];
  for (let round = 0; round < 6; round++) {
    let waited = 0;
    while (pace.intervalMs(now + waited) === EVEN) waited += MINUTE;
    quiet.push(waited / MINUTE);
    now += waited + 1;
    pace.onRejected(now, now);
    expect(pace.intervalMs(now)).toBe(EVEN);
  }
  expect(quiet).toEqual([2, 4, 8, 16, 30, 30]);
});

test('ten calls run at once until responses allow more', () => {
  const after = (answers: number) => {
    for (let at = 0; at < answers; at++) pace.onAccepted();
    return pace.maxConcurrency();
  };
  expect([after(0), after(3), after(1), after(30), after(1), after(5), after(100)]).toEqual([
    10, 10, 11, 20, 21, 26, 40,
  ]);
  pace.onRejected(1, 2);
  expect([pace.maxConcurrency(), after(50)]).toEqual([10, 10]);
  expect(createAdaptiveRate({ requests: 1, windowMs: 1, concurrency: 3 }).maxConcurrency()).toBe(3);
  const small = createAdaptiveRate({ requests: 1, windowMs: 1, concurrency: 3 });
  small.onRejected(1, 2);
  expect(small.maxConcurrency()).toBe(3);
});
