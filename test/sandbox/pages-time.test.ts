import { expect, test, vi } from 'vitest';
import { createReadingTracker } from '../../sandbox/pages/reading-time.ts';
import type { VisitRecord } from '../../sandbox/state/records.ts';
import type { Service } from '../../sandbox/state/service.ts';

let now = 0;
// Reading times need only the clock of the service.
const service = { clock: { now: () => now } } as Service;

function createVisit(): VisitRecord {
  const fields = { id: 'v', link_id: 'l', document_id: null, email: null, name: null, page_count: 3 };
  return { ...fields, started_at: now, ended_at: now, dwell: new Map(), open: null };
}

function pass(ms: number) {
  now += ms;
  vi.advanceTimersByTime(ms);
}

test('a reader who stops reporting counts as gone, and only reported time counts', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const visit = createVisit();
  const time = createReadingTracker(service);
  time.recordReading(visit, 2);
  pass(4_000);
  time.recordReading(visit, 2);
  pass(3_600_000);
  expect(visit.open).toBeNull();
  expect(visit.dwell).toEqual(new Map([[2, 4_000]]));
});
