import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AdaptiveRate } from '../../../../src/rate-limit/adaptive-rate.ts';
import { createSchedule } from '../../../../src/rate-limit/schedule.ts';
import { createStub } from '../../../support/create-stub.ts';

beforeEach(() => void vi.useFakeTimers());
const pass = (ms: number) => void vi.advanceTimersByTime(ms);

describe('a schedule of 3 starts in 1000 ms', () => {
  const make = (gapMs = 0) =>
    createSchedule({
      requests: 3,
      windowMs: 1000,
      adaptiveRate: createStub<AdaptiveRate>({ intervalMs: () => gapMs }),
    });
  /** Records starts `apartMs` apart, the last one now. */
  const started = (count: number, apartMs = 0, schedule = make()) => {
    for (let start = 0; start < count; start++) {
      if (start > 0) pass(apartMs);
      schedule.recordStart();
    }
    return schedule;
  };
  const waits = (schedule: ReturnType<typeof make>, positions: number) =>
    Array.from({ length: positions }, (_, position) => schedule.forecast(position).waitMs);

  test.each([
    [0, 0, [0, 0, 0, 1000, 1000, 1000, 2000]],
    [1, 0, [0, 0, 1000, 1000, 1000, 2000, 2000]],
    [2, 0, [0, 1000, 1000, 1000, 2000, 2000, 2000]],
    [3, 0, [1000, 1000, 1000, 2000, 2000, 2000, 3000]],
    [3, 100, [800, 900, 1000, 1800, 1900, 2000, 2800]],
    [2, 300, [0, 700, 1000, 1000, 1700, 2000, 2000]],
  ])('with %i past starts, %i ms apart, starts each call one window after the third before it', (count, apart, ms) => {
    expect(waits(started(count, apart), ms.length)).toEqual(ms);
  });

  test('forgets a start after one window, not earlier', () => {
    const schedule = started(3);
    pass(999);
    expect(schedule.forecast(0)).toEqual({ waitMs: 1, reason: 'window', pauseMs: 0 });
    pass(1);
    expect(schedule.forecast(0).waitMs).toBe(0);
    expect(waits(started(3, 0, schedule), 2)).toEqual([1000, 1000]);
  });

  test('counts a start from the time of its late response', () => {
    const schedule = make();
    const first = schedule.recordStart();
    pass(400);
    started(2, 0, schedule);
    pass(500);
    const renewed = schedule.moveToNow(first);
    expect(waits(schedule, 3)).toEqual([500, 500, 1000]);
    pass(100);
    // A start that is already forgotten counts as another one.
    schedule.moveToNow(renewed - 10_000);
    expect(waits(schedule, 3)).toEqual([400, 900, 1000]);
  });

  test('respects both the interval between two starts and the window', () => {
    const schedule = make(200);
    expect(waits(schedule, 4)).toEqual([0, 200, 400, 1000]);
    schedule.recordStart();
    expect(schedule.forecast(0)).toEqual({ waitMs: 200, reason: 'adaptive-rate', pauseMs: 0 });
    expect(schedule.forecast(1).reason).toBe('adaptive-rate');
    pass(150);
    expect(waits(schedule, 3)).toEqual([50, 250, 850]);
    expect(schedule.forecast(2).reason).toBe('window');
  });

  test('pauses for the longest requested time and gives the reason', () => {
    const schedule = make();
    expect(schedule.pauseFor(300)).toBe(true);
    expect(schedule.pauseFor(200)).toBe(false);
    expect(schedule.pauseFor(300)).toBe(false);
    expect(schedule.pauseFor(Number.NaN)).toBe(false);
    expect(schedule.forecast(0)).toEqual({ waitMs: 300, reason: 'pause', pauseMs: 300 });
    pass(100);
    expect(schedule.pauseFor(400)).toBe(true);
    expect(schedule.forecast(0)).toEqual({ waitMs: 400, reason: 'pause', pauseMs: 400 });
    expect(waits(schedule, 4)).toEqual([400, 400, 400, 1400]);
    pass(500);
    expect(schedule.forecast(0)).toMatchObject({ waitMs: 0, pauseMs: 0 });
  });

  test('waits as long as the store says; a wait longer than a window is a pause', () => {
    const schedule = make();
    schedule.deferToStore(1000);
    expect(schedule.forecast(0)).toEqual({ waitMs: 1000, reason: 'shared-limit', pauseMs: 0 });
    schedule.deferToStore(400);
    expect(schedule.forecast(0)).toEqual({ waitMs: 400, reason: 'shared-limit', pauseMs: 0 });
    expect(schedule.getWaitMs()).toBe(400);
    schedule.pauseFor(400);
    expect(schedule.forecast(0)).toEqual({ waitMs: 400, reason: 'pause', pauseMs: 400 });
    schedule.deferToStore(5000);
    expect(schedule.forecast(0)).toEqual({ waitMs: 5000, reason: 'shared-limit', pauseMs: 5000 });
    schedule.pauseFor(6000);
    expect(schedule.forecast(0)).toEqual({ waitMs: 6000, reason: 'pause', pauseMs: 6000 });
    expect(schedule.getWaitMs()).toBe(6000);
  });

  test('asks the store again after a window at the latest', () => {
    const schedule = make();
    schedule.deferToStore(5000);
    expect(schedule.getWaitMs()).toBe(1000);
    pass(999);
    expect([schedule.getWaitMs(), schedule.forecast(0).waitMs]).toEqual([1, 4001]);
    pass(1);
    expect(schedule.getWaitMs()).toBe(0);
    expect(schedule.forecast(0)).toMatchObject({ waitMs: 0, pauseMs: 0 });
  });

  test('gives the reason that lasts longer', () => {
    const schedule = started(3);
    schedule.pauseFor(400);
    expect(schedule.forecast(0)).toEqual({ waitMs: 1000, reason: 'window', pauseMs: 400 });
    schedule.pauseFor(1000);
    expect(schedule.forecast(0).reason).toBe('pause');
    const paced = make(600);
    paced.recordStart();
    paced.pauseFor(500);
    expect(paced.forecast(0).reason).toBe('adaptive-rate');
    paced.pauseFor(600);
    expect(paced.forecast(0)).toEqual({ waitMs: 600, reason: 'adaptive-rate', pauseMs: 600 });
    paced.pauseFor(700);
    expect(paced.forecast(0)).toEqual({ waitMs: 700, reason: 'pause', pauseMs: 700 });
    pass(700);
    expect(paced.forecast(1)).toEqual({ waitMs: 600, reason: 'adaptive-rate', pauseMs: 0 });
  });
});
