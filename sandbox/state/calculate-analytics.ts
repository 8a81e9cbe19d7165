import type { VisitRecord } from './records.ts';
import { getVisitorKey, getVisitSeconds, toSeconds, withOpenPageTime } from './visits.ts';

/** Computes metrics of visits; a page that is open counts up to now. */
export function calculateAnalytics(records: readonly VisitRecord[], now: number) {
  const visits = records.map((visit) => withOpenPageTime(visit, now));
  const pageCount = Math.max(0, ...visits.map((visit) => visit.page_count));
  const total = visits.reduce((sum, visit) => sum + getVisitSeconds(visit) * 1000, 0);
  const completed = visits.filter((visit) => visit.page_count > 0 && getLastPageRead(visit) >= visit.page_count);
  const toFraction = (part: number) => (visits.length === 0 ? 0 : Math.round((part / visits.length) * 1000) / 1000);
  const numbers = Array.from({ length: pageCount }, (_, index) => index + 1);
  return {
    views: visits.length,
    unique_visitors: new Set(visits.map(getVisitorKey)).size,
    total_seconds: toSeconds(total),
    average_seconds: toSeconds(visits.length === 0 ? 0 : total / visits.length),
    completion_rate: toFraction(completed.length),
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
      const reached = visits.filter((visit) => getLastPageRead(visit) >= page).length;
      return { page, reached, share: toFraction(reached) };
    }),
  };
}

function getLastPageRead(visit: VisitRecord): number {
  return Math.max(0, ...visit.dwell.keys());
}
