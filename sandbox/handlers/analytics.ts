import { measure } from '../state/measures.ts';
import type { VisitRecord } from '../state/records.ts';
import { find } from '../state/state.ts';
import { countUpTo, getSeconds, getVisitorKey, getVisits, toSeconds } from '../state/visits.ts';
import type { HandlerCall } from './handler.ts';
import type { View } from './view.ts';

function link({ service, id }: HandlerCall): View {
  const { document_id } = find(service.state.links, id, 'link');
  return {
    object: 'link_analytics',
    link_id: id,
    document_id,
    ...measure(getVisits(service.state, id), service.clock.now()),
  };
}

/** One entry for each person who came, with all of that person's visits. */
function visitors({ service, id }: HandlerCall): View[] {
  find(service.state.links, id, 'link');
  const now = service.clock.now();
  const visits = getVisits(service.state, id).map((entry) => countUpTo(entry, now));
  const people = Map.groupBy(visits, getVisitorKey);
  return [...people.values()].map((visits) => {
    const [first] = visits;
    const last = visits.at(-1) ?? first;
    return {
      object: 'visitor',
      id: first?.id,
      email: last?.email,
      name: last?.name,
      visit_count: visits.length,
      visit_ids: visits.map((visit) => visit.id),
      total_seconds: toSeconds(visits.reduce((sum, visit) => sum + getSeconds(visit) * 1000, 0)),
      first_seen_at: first?.started_at,
      last_seen_at: last?.started_at,
    };
  });
}

function visit({ service, id }: HandlerCall): View {
  return viewVisit(find(service.state.visits, id, 'visit'), service.clock.now());
}

export function viewVisit(record: VisitRecord, now: number): View {
  const visit = countUpTo(record, now);
  const pages = [...visit.dwell].sort(([a], [b]) => a - b);
  return {
    object: 'visit',
    id: visit.id,
    link_id: visit.link_id,
    document_id: visit.document_id,
    email: visit.email,
    name: visit.name,
    total_seconds: getSeconds(visit),
    pages_viewed: pages.length,
    page_count: visit.page_count,
    pages: pages.map(([page, ms]) => ({ page, seconds: toSeconds(ms) })),
    started_at: visit.started_at,
    ended_at: visit.open ? null : visit.ended_at,
  };
}

/** A room is read through the links that lead to it. */
function room({ service, id }: HandlerCall): View {
  const { files } = find(service.state.rooms, id, 'room');
  const own = [...service.state.links.values()].filter((entry) => entry.room_id === id);
  const visits = own.flatMap((entry) => getVisits(service.state, entry.id));
  const { views, unique_visitors, total_seconds, average_seconds, last_viewed_at } = measure(
    visits,
    service.clock.now(),
  );
  return {
    object: 'room_analytics',
    room_id: id,
    views,
    unique_visitors,
    total_seconds,
    average_seconds,
    last_viewed_at,
    link_count: own.length,
    documents: files.map(({ document_id, name }) => {
      const read = visits.filter((entry) => entry.document_id === document_id);
      return { document_id, name, views: read.length };
    }),
  };
}

export const analytics = { link, visitors, visit, room };
