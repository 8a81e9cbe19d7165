import { calculateAnalytics } from '../state/calculate-analytics.ts';
import type { VisitRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { getSharedContent } from '../state/shared-content.ts';
import { findRecord } from '../state/state.ts';
import { getVisitorKey, getVisitSeconds, getVisits, toSeconds, withOpenPageTime } from '../state/visits.ts';
import type { HandlerCall } from './handler.ts';
import type { ResourceView } from './view.ts';

function link({ service, id }: HandlerCall): ResourceView {
  const { document_id } = findRecord(service.state.links, id, 'link');
  return {
    object: 'link_analytics',
    link_id: id,
    document_id,
    ...calculateAnalytics(getVisits(service.state, id), service.clock.now()),
  };
}

/** Returns one entry per visitor, with all of that visitor's visits. */
function visitors({ service, id }: HandlerCall): ResourceView[] {
  findRecord(service.state.links, id, 'link');
  const now = service.clock.now();
  const visits = getVisits(service.state, id).map((entry) => withOpenPageTime(entry, now));
  const visitsByPerson = Map.groupBy(visits, getVisitorKey);
  return [...visitsByPerson.values()].map((visits) => {
    const [first] = visits;
    const last = visits.at(-1) ?? first;
    return {
      object: 'visitor',
      id: first?.id,
      email: last?.email,
      name: last?.name,
      visit_count: visits.length,
      visit_ids: visits.map((visit) => visit.id),
      total_seconds: toSeconds(visits.reduce((sum, visit) => sum + getVisitSeconds(visit) * 1000, 0)),
      first_seen_at: first?.started_at,
      last_seen_at: last?.started_at,
    };
  });
}

function visit({ service, id }: HandlerCall): ResourceView {
  return toVisitView(findRecord(service.state.visits, id, 'visit'), service.clock.now());
}

export function toVisitView(record: VisitRecord, now: number): ResourceView {
  const visit = withOpenPageTime(record, now);
  const pages = [...visit.dwell].sort(([a], [b]) => a - b);
  return {
    object: 'visit',
    id: visit.id,
    link_id: visit.link_id,
    document_id: visit.document_id,
    email: visit.email,
    name: visit.name,
    total_seconds: getVisitSeconds(visit),
    pages_viewed: pages.length,
    page_count: visit.page_count,
    pages: pages.map(([page, ms]) => ({ page, seconds: toSeconds(ms) })),
    started_at: visit.started_at,
    ended_at: visit.open ? null : visit.ended_at,
  };
}

/** Room analytics cover all links of the room. */
function room({ service, id }: HandlerCall): ResourceView {
  const { files } = findRecord(service.state.rooms, id, 'room');
  const roomLinks = [...service.state.links.values()].filter((entry) => entry.room_id === id);
  const visits = roomLinks.flatMap((entry) => getVisits(service.state, entry.id));
  const now = service.clock.now();
  const { views, unique_visitors, total_seconds, average_seconds, last_viewed_at } = calculateAnalytics(visits, now);
  const viewedDocuments = visits.flatMap((entry) => [...getViewedDocuments(service, withOpenPageTime(entry, now))]);
  return {
    object: 'room_analytics',
    room_id: id,
    views,
    unique_visitors,
    total_seconds,
    average_seconds,
    last_viewed_at,
    link_count: roomLinks.length,
    documents: files.map(({ document_id, name }) => {
      return { document_id, name, views: viewedDocuments.filter((id) => id === document_id).length };
    }),
  };
}

function getViewedDocuments(service: Service, visit: VisitRecord): Set<string> {
  const { sections } = getSharedContent(service, visit);
  const viewedSections = [...visit.dwell.keys()].flatMap((page) => {
    return sections.filter(({ firstPage, pages }) => page >= firstPage && page < firstPage + pages);
  });
  return new Set(viewedSections.map(({ document }) => document.id));
}

export const analytics = { link, visitors, visit, room };
