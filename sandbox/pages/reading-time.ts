import type { VisitRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { leaveVisit, turnToPage } from '../state/visiting.ts';

/** Real time after which a page that was being reported counts as left: its browser was shut, or lost the network. */
const REPORT_TIMEOUT_MS = 20_000;

/** Keeps the time of visits: what counts is how long a page was in front of someone, by the sandbox's clock. */
export interface ReadingTracker {
  /** The page is in front of the visitor, now or still. Comes with each turn and every few seconds. */
  recordReading(visit: VisitRecord, page: number): void;
  /** The visitor looks elsewhere, or is gone. */
  recordAway(visit: VisitRecord): void;
}

export function createReadingTracker(service: Service): ReadingTracker {
  const timeouts = new WeakMap<VisitRecord, NodeJS.Timeout>();
  return {
    recordReading(visit, page) {
      clearTimeout(timeouts.get(visit));
      turnToPage(service, visit, page);
      const { open } = visit;
      const timeout = setTimeout(() => {
        // What came after the last word from the reader is not counted.
        if (visit.open === open) visit.open = null;
      }, REPORT_TIMEOUT_MS);
      timeout.unref();
      timeouts.set(visit, timeout);
    },
    recordAway(visit) {
      clearTimeout(timeouts.get(visit));
      leaveVisit(service, visit);
    },
  };
}
