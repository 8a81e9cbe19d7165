import type { VisitRecord } from './records.ts';
import type { State } from './state.ts';

export function getVisits(state: State, linkId: string): VisitRecord[] {
  return [...state.visits.values()].filter((visit) => visit.link_id === linkId);
}

/** How the browser of a visit names it; no one else can. */
export function getVisitToken({ id, pass = '' }: VisitRecord): string {
  return `${id}.${pass}`;
}

/** The visit that its browser names so. */
export function findVisitByToken(state: State, name: string): VisitRecord | undefined {
  const visit = state.visits.get(name.slice(0, name.lastIndexOf('.')));
  return visit?.pass && getVisitToken(visit) === name ? visit : undefined;
}

/** Two visits are one visitor's when they gave the same address; a visit without one stands for itself. */
export function getVisitorKey(visit: VisitRecord): string {
  return visit.email?.toLowerCase() ?? visit.id;
}

/** Seconds read in a visit, to a tenth. */
export function getSeconds(visit: VisitRecord): number {
  let total = 0;
  for (const ms of visit.dwell.values()) total += ms;
  return toSeconds(total);
}

export function toSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** What a page that is left open counts at most: its reader may have gone for good. */
const MAX_PAGE_VIEW_MS = 10 * 60 * 1000;

/** How long the open page was looked at until now. */
export function getOpenMs(visit: VisitRecord, now: number): number {
  return visit.open ? Math.min(now - visit.open.since, MAX_PAGE_VIEW_MS) : 0;
}

/** The visit with the page that is open now counted up to now. */
export function withOpenPageTime(visit: VisitRecord, now: number): VisitRecord {
  if (!visit.open) return visit;
  const { page } = visit.open;
  const dwell = new Map(visit.dwell).set(page, (visit.dwell.get(page) ?? 0) + getOpenMs(visit, now));
  return { ...visit, dwell };
}
