import type { Service } from '../service.ts';
import type { VisitRecord } from '../state/records.ts';
import { leaveVisit, turnToPage } from '../state/visiting.ts';

/** Real time after which a page that was being reported counts as left: its browser was shut, or lost the network. */
const REPORT_TIMEOUT_MS = 20_000;

/** Keeps the time of visits: what counts is how long a page was in front of someone, by the sandbox's clock. */
export interface ReadingTime {
  /** The page is in front of the visitor, now or still. Comes with each turn and every few seconds. */
  reading(visit: VisitRecord, page: number): void;
  /** The visitor looks elsewhere, or is gone. */
  away(visit: VisitRecord): void;
}

export function createReadingTime(service: Service): ReadingTime {
  const silences = new WeakMap<VisitRecord, NodeJS.Timeout>();
  return {
    reading(visit, page) {
      clearTimeout(silences.get(visit));
      turnToPage(service, visit, page);
      const { open } = visit;
      const silence = setTimeout(() => {
        // What came after the last word from the reader is not counted.
        if (visit.open === open) visit.open = null;
      }, REPORT_TIMEOUT_MS);
      silence.unref();
      silences.set(visit, silence);
    },
    away(visit) {
      clearTimeout(silences.get(visit));
      leaveVisit(service, visit);
    },
  };
}
