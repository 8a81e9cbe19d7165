import type { VisitRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { leaveVisit, turnToPage } from '../state/visiting.ts';

/** Real time without a report after which a page counts as left: the browser was closed or lost its connection. */
const REPORT_TIMEOUT_MS = 20_000;

/** Tracks how long a page is visible, by the sandbox's clock. */
export function createReadingTracker(service: Service) {
  const timeouts = new WeakMap<VisitRecord, NodeJS.Timeout>();
  return {
    /** The page is visible. Reported on each turn and every few seconds. */
    recordReading(visit: VisitRecord, page: number): void {
      clearTimeout(timeouts.get(visit));
      turnToPage(service, visit, page);
      const { open } = visit;
      const timeout = setTimeout(() => {
        // Time after the last report does not count.
        if (visit.open === open) visit.open = null;
      }, REPORT_TIMEOUT_MS);
      timeout.unref();
      timeouts.set(visit, timeout);
    },
    /** The page is hidden or closed. */
    recordAway(visit: VisitRecord): void {
      clearTimeout(timeouts.get(visit));
      leaveVisit(service, visit);
    },
  };
}
