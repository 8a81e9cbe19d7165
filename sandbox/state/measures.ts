import type { VisitRecord } from './records.ts';
import { countUpTo, getSeconds, getVisitorKey, toSeconds } from './visits.ts';

/** Metrics computed from the visits that happened; a page that is open now counts up to now. */
export function measure(all: readonly VisitRecord[], now: number) {
  const visits = all.map((visit) => countUpTo(visit, now));
  const pageCount = Math.max(0, ...visits.map((visit) => visit.page_count));
  const total = visits.reduce((sum, visit) => sum + getSeconds(visit) * 1000, 0);
  const complete = visits.filter((visit) => visit.page_count > 0 && furthest(visit) >= visit.page_count);
  const share = (part: number) =>
    visits.length === 0 ? 0 : Math.round((part / visits.length) * 1000) / 1000;
  const numbers = Array.from({ length: pageCount }, (_, index) => index + 1);
  return {
    views: visits.length,
    unique_visitors: new Set(visits.map(getVisitorKey)).size,
    total_seconds: toSeconds(total),
    average_seconds: toSeconds(visits.length === 0 ? 0 : total / visits.length),
    completion_rate: share(complete.length),
    last_viewed_at: visits.length === 0 ? null : Math.max(...visits.map((visit) => visit.started_at)),
    pages: numbers.map((page) => {
      const times = visits.flatMap((visit) => visit.dwell.get(page) ?? []);
      const ms = times.reduce((sum, time) => sum + time, 0);
      return {
        page,
        views: times.length,
        total_seconds: toSeconds(ms),
        average_seconds: toSeconds(times.length === 0 ? 0 : ms / times.length),
      };
    }),
    drop_off: numbers.map((page) => {
      const reached = visits.filter((visit) => furthest(visit) >= page).length;
      return { page, reached, share: share(reached) };
    }),
  };
}

function furthest(visit: VisitRecord): number {
  return Math.max(0, ...visit.dwell.keys());
}
