/** When a call may start: what is counted, for how long, and what holds it back. In virtual time. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AdaptiveRate } from '../../../../src/rate-limit/adaptive-rate.ts';
import { createInFlightCalls } from '../../../../src/rate-limit/in-flight.ts';
import { createSchedule } from '../../../../src/rate-limit/schedule.ts';
import type { SharedLimiter } from '../../../../src/rate-limit/shared-limiter.ts';
import { createStartWindow } from '../../../../src/rate-limit/window.ts';
import { standIn } from '../../../support/stand-in.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => void vi.advanceTimersByTime(ms);

describe('a schedule of 3 starts in 1000 ms', () => {
  const make = (gapMs = 0) =>
    createSchedule({ requests: 3, windowMs: 1000, adaptiveRate: standIn<AdaptiveRate>({ intervalMs: () => gapMs }) });
  /** Starts that came `apartMs` after each other, the last one now. */
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
  ])('that saw %i, %i ms apart, lets the next ones go one window after the third before', (count, apart, ms) => {
    expect(waits(started(count, apart), ms.length)).toEqual(ms);
  });

  test('forgets a start after one window, and not before', () => {
    const schedule = started(3);
    pass(999);
    expect(schedule.forecast(0)).toEqual({ waitMs: 1, reason: 'window', pauseMs: 0 });
    pass(1);
    expect(schedule.forecast(0).waitMs).toBe(0);
    expect(waits(started(3, 0, schedule), 2)).toEqual([1000, 1000]);
  });

  test('counts a start anew from its late answer on', () => {
    const schedule = make();
    const first = schedule.recordStart();
    pass(400);
    started(2, 0, schedule);
    pass(500);
    const renewed = schedule.moveToNow(first);
    expect(waits(schedule, 3)).toEqual([500, 500, 1000]);
    pass(100);
    // One that is forgotten already counts as one more.
    schedule.moveToNow(renewed - 10_000);
    expect(waits(schedule, 3)).toEqual([400, 900, 1000]);
  });

  test('takes a start that counts anew from where it stood', () => {
    const schedule = make();
    schedule.recordStart();
    pass(100);
    const second = schedule.recordStart();
    pass(100);
    schedule.recordStart();
    pass(300);
    schedule.moveToNow(second);
    expect(waits(schedule, 3)).toEqual([500, 700, 1000]);
  });

  test('keeps to the gap between two starts, and to the window', () => {
    const schedule = make(200);
    expect(waits(schedule, 4)).toEqual([0, 200, 400, 1000]);
    schedule.recordStart();
    expect(schedule.forecast(0)).toEqual({ waitMs: 200, reason: 'adaptive-rate', pauseMs: 0 });
    expect(schedule.forecast(1).reason).toBe('adaptive-rate');
    pass(150);
    expect(waits(schedule, 3)).toEqual([50, 250, 850]);
    expect(schedule.forecast(2).reason).toBe('window');
  });

  test('is held back for the longest time that was asked for, and says why', () => {
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

  test('stands back for others as their store says now; what is longer than a window is a pause', () => {
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

  test('takes a store’s word for no longer than a window, and tries again then', () => {
    const schedule = make();
    schedule.deferToStore(5000);
    expect(schedule.getWaitMs()).toBe(1000);
    pass(999);
    expect([schedule.getWaitMs(), schedule.forecast(0).waitMs]).toEqual([1, 4001]);
    pass(1);
    expect(schedule.getWaitMs()).toBe(0);
    expect(schedule.forecast(0)).toMatchObject({ waitMs: 0, pauseMs: 0 });
  });

  test('says of two reasons the one that lasts longer', () => {
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

describe('calls without an answer', () => {
  test('are at most so many, each for a second at the longest', () => {
    const unanswered = createInFlightCalls(() => 2);
    expect(unanswered.waitMs()).toBe(0);
    unanswered.add(false);
    expect(unanswered.waitMs()).toBe(0);
    pass(400);
    unanswered.add(false);
    expect(unanswered.waitMs()).toBe(600);
    pass(599);
    expect(unanswered.waitMs()).toBe(1);
    pass(1);
    expect(unanswered.waitMs()).toBe(0);
    unanswered.add(false);
    expect(unanswered.waitMs()).toBe(400);
  });

  test('that last long by their nature count for a quarter of a second', () => {
    const unanswered = createInFlightCalls(() => 1);
    unanswered.add(true);
    expect(unanswered.waitMs()).toBe(250);
    pass(250);
    expect(unanswered.waitMs()).toBe(0);
  });

  test('make room with their answer, whichever comes first, and once', () => {
    const unanswered = createInFlightCalls(() => 2);
    const [first, second] = [unanswered.add(false), unanswered.add(false)];
    unanswered.remove(first);
    expect(unanswered.waitMs()).toBe(0);
    unanswered.remove(first);
    pass(100);
    const third = unanswered.add(false);
    expect(unanswered.waitMs()).toBe(900);
    unanswered.remove(second);
    unanswered.remove(second);
    unanswered.add(false);
    expect(unanswered.waitMs()).toBe(1000);
    unanswered.remove(third);
    expect(unanswered.waitMs()).toBe(0);
  });

  test('that no longer count end without a trace', () => {
    const unanswered = createInFlightCalls(() => 1);
    const old = unanswered.add(false);
    pass(1000);
    expect(unanswered.waitMs()).toBe(0);
    unanswered.add(false);
    unanswered.remove(old);
    expect(unanswered.waitMs()).toBe(1000);
  });
});

describe('a start', () => {
  /** What the schedule and the store hear, and when. */
  function make({ waitMs, shared = true }: { waitMs?: number; shared?: boolean } = {}) {
    const heard: string[] = [];
    const from = performance.now();
    const now = () => performance.now() - from;
    const schedule = standIn<Parameters<typeof createStartWindow>[0]['schedule']>({
      recordStart() {
        heard.push(`book ${now()}`);
        return now();
      },
      moveToNow(at: number) {
        heard.push(`renew ${at} at ${now()}`);
        return now();
      },
    });
    const names: string[] = [];
    const gate = standIn<SharedLimiter>({
      async take(name: string) {
        names.push(name);
        return waitMs ?? 0;
      },
      renew: (name: string) => heard.push(`tell ${names.indexOf(name)} at ${now()}`),
    });
    return { starts: createStartWindow({ schedule, sharedLimiter: shared ? gate : undefined }), heard, names };
  }

  test('whose answer comes soon counts from its beginning', () => {
    const { starts, heard } = make({ shared: false });
    const answered = starts.startCall();
    pass(800);
    answered();
    expect(heard).toEqual(['book 0']);
    const late = starts.startCall();
    pass(801);
    late();
    expect(heard.slice(1)).toEqual(['book 800', 'renew 800 at 1601']);
  });

  test('is booked in the store under a name of its own', async () => {
    const { starts, names } = make();
    for (const _ of 'ab') {
      expect(await starts.requestStartFromStore()).toBe(0);
      starts.startCall()();
    }
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^[\w-]{12}-[0-9a-z]+$/);
  });

  test('that the store knows counts anew there while no answer comes, less and less often', async () => {
    const { starts, heard } = make();
    await starts.requestStartFromStore();
    const answered = starts.startCall();
    pass(6000);
    expect(heard).toEqual([
      'book 0',
      'renew 0 at 800',
      'tell 0 at 800',
      'renew 800 at 2400',
      'tell 0 at 2400',
      'renew 2400 at 5600',
      'tell 0 at 5600',
    ]);
    answered();
    pass(60_000);
    expect(heard).toHaveLength(7);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that the store did not book is none of its', async () => {
    const { starts, heard } = make({ waitMs: 70 });
    expect(await starts.requestStartFromStore()).toBe(70);
    starts.startCall();
    pass(5000);
    expect(heard).toEqual(['book 0']);
  });

  test('takes what was booked last, once', async () => {
    const { starts, heard } = make();
    await starts.requestStartFromStore();
    const [first, second] = [starts.startCall(), starts.startCall()];
    pass(801);
    first();
    second();
    expect(heard).toEqual(['book 0', 'book 0', 'renew 0 at 800', 'tell 0 at 800', 'renew 0 at 801']);
  });

  test('that waited for the store is late from when it asked', async () => {
    const { starts, heard } = make();
    await starts.requestStartFromStore();
    pass(500);
    const answered = starts.startCall();
    pass(301);
    answered();
    expect(heard).toEqual(['book 500', 'renew 500 at 801', 'tell 0 at 801']);
  });
});
