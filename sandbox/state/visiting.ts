import type { VisitOptions } from '../base/control-schemas.ts';
import type { LinkRecord, VisitRecord } from './records.ts';
import { generateId, generateSecret, type Service } from './service.ts';
import { getLatestVersion } from './state.ts';
import { getOpenPageMs, getVisitorKey, getVisits } from './visits.ts';

/** Input of a visitor at the gate of a link. */
export type GateInput = Omit<VisitOptions, 'pages'>;

/** Why a visitor is not admitted; the message is for that person. */
export class GateError extends Error {
  override readonly name = 'GateError';
  readonly reason: 'gone' | 'expired' | 'full' | 'email' | 'password' | 'nda';

  constructor(reason: GateError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Returns the link. @throws GateError if it is closed to new visitors */
export function getOpenLink(service: Service, linkId: string): LinkRecord {
  const link = service.state.links.get(linkId);
  if (!link) throw new GateError('gone', 'This link does not exist or was deleted');
  if (link.expires_at !== null && link.expires_at <= service.clock.now())
    throw new GateError('expired', 'This link has expired');
  return link;
}

/** Starts a visit and emits `link.viewed`. The first page is open from now on. */
export function startVisit(service: Service, linkId: string, gateInput: GateInput = {}): VisitRecord {
  const link = getOpenLink(service, linkId);
  const email = gateInput.email?.trim().slice(0, 320) || null;
  if (link.email_required && !(email && /^[^@\s]+@[^@\s]+$/.test(email)))
    throw new GateError('email', 'Enter your email address to open this link');
  if (link.password !== null && gateInput.password !== link.password)
    throw new GateError('password', 'Incorrect password');
  if (link.nda_required && !gateInput.ndaAccepted)
    throw new GateError('nda', 'Accept the non-disclosure agreement to open this link');
  const earlierVisitors = new Set(getVisits(service.state, link.id).map(getVisitorKey));
  const isReturning = email !== null && earlierVisitors.has(email.toLowerCase());
  if (link.max_visitors !== null && !isReturning && earlierVisitors.size >= link.max_visitors)
    throw new GateError('full', 'This link has reached its visitor limit');

  const document = link.document_id === null ? undefined : service.state.documents.get(link.document_id);
  const now = service.clock.now();
  const visit: VisitRecord = {
    id: generateId(service, 'visit'),
    link_id: link.id,
    document_id: link.document_id,
    email,
    name: gateInput.name?.trim().slice(0, 200) || null,
    page_count: document ? getLatestVersion(document).pages.length : 0,
    started_at: now,
    ended_at: now,
    dwell: new Map(),
    open: null,
    pass: generateSecret(service, 12).toString('hex'),
    gate: getGateFingerprint(link),
  };
  service.state.visits.set(visit.id, visit);
  service.emit('link.viewed', {
    link_id: link.id,
    link_name: link.name,
    link_url: getLinkUrl(service, link.id),
    document_id: link.document_id,
    document_name: document?.name ?? null,
    visit_id: visit.id,
    visitor: { email: visit.email, name: visit.name },
    viewed_at: now,
  });
  return visit;
}

/** Returns the link's requirements as text: a visit is admitted again until they change. */
export function getGateFingerprint({ email_required, nda_required, password }: LinkRecord): string {
  return JSON.stringify([email_required, nda_required, password]);
}

/** Turns to a page and records the time on the previous one. */
export function turnToPage(service: Service, visit: VisitRecord, page: number): void {
  leaveVisit(service, visit);
  visit.open = { page, since: service.clock.now() };
}

/** Ends the open page; the visitor may come back. */
export function leaveVisit(service: Service, visit: VisitRecord): void {
  const now = service.clock.now();
  if (visit.open) addDwell(visit, visit.open.page, getOpenPageMs(visit, now));
  visit.open = null;
  visit.ended_at = now;
}

/** Records a whole visit that just ended; `seconds` holds the time on page 1, page 2 and so on. */
export function recordVisit(
  service: Service,
  input: { linkId: string; gateInput: GateInput; seconds: readonly number[] },
): VisitRecord {
  const startedVisit = startVisit(service, input.linkId, input.gateInput);
  const total = input.seconds.reduce((sum, seconds) => sum + seconds, 0);
  const visit: VisitRecord = {
    ...startedVisit,
    page_count: Math.max(startedVisit.page_count, input.seconds.length),
    started_at: startedVisit.started_at - total * 1000,
  };
  input.seconds.forEach((seconds, index) => {
    addDwell(visit, index + 1, seconds * 1000);
  });
  service.state.visits.set(visit.id, visit);
  return visit;
}

function addDwell(visit: VisitRecord, page: number, ms: number): void {
  visit.dwell.set(page, (visit.dwell.get(page) ?? 0) + ms);
}

export function getLinkUrl({ origin }: Service, id: string): string {
  return `${origin}/l/${encodeURIComponent(id)}`;
}
