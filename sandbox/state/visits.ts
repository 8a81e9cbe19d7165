import type { VisitRecord } from './records.ts';
import type { State } from './state.ts';

export function getVisits(state: State, linkId: string): VisitRecord[] {
  return [...state.visits.values()].filter((visit) => visit.link_id === linkId);
}

/** The visit's unguessable name in its URL and cookie. */
export function getVisitToken({ id, pass = '' }: VisitRecord): string {
  return `${id}.${pass}`;
}

export function findVisitByToken(state: State, name: string): VisitRecord | undefined {
  const visit = state.visits.get(name.slice(0, name.lastIndexOf('.')));
  return visit?.pass && getVisitToken(visit) === name ? visit : undefined;
}

/** Visits with the same email belong to one visitor; a visit without one is its own. */
export function getVisitorKey(visit: VisitRecord): string {
  return visit.email?.toLowerCase() ?? visit.id;
}

/** Returns the seconds of a visit, to one decimal. */
export function getVisitSeconds(visit: VisitRecord): number {
  let total = 0;
  for (const ms of visit.dwell.values()) total += ms;
  return toSeconds(total);
}

export function toSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** Maximum time of an open page, whose reader may have left. */
const MAX_PAGE_VIEW_MS = 10 * 60 * 1000;

export function getOpenPageMs(visit: VisitRecord, now: number): number {
  return visit.open ? Math.min(now - visit.open.since, MAX_PAGE_VIEW_MS) : 0;
}

/** Returns the visit with its open page counted up to now. */
export function withOpenPageTime(visit: VisitRecord, now: number): VisitRecord {
  if (!visit.open) return visit;
  const { page } = visit.open;
  const dwell = new Map(visit.dwell).set(page, (visit.dwell.get(page) ?? 0) + getOpenPageMs(visit, now));
  return { ...visit, dwell };
}
