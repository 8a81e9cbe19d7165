import type { VisitRecord } from './records.ts';
import type { State } from './state.ts';

export function visitsOf(state: State, linkId: string): VisitRecord[] {
  return [...state.visits.values()].filter((visit) => visit.link_id === linkId);
}

/** Two visits are one visitor's when they gave the same address; a visit without one stands for itself. */
export function visitorOf(visit: VisitRecord): string {
  return visit.email?.toLowerCase() ?? visit.id;
}

/** Seconds read in a visit, to a tenth. */
export function secondsOf(visit: VisitRecord): number {
  let total = 0;
  for (const ms of visit.dwell.values()) total += ms;
  return toSeconds(total);
}

export function toSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
