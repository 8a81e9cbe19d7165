import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import {
  ApiError,
  type Client,
  getTextField,
  getTitle,
  getValueAtPath,
  idOf,
  isObject,
  type JsonObject,
  NotFoundError,
  PermissionError,
} from '../platform/client-core.ts';
import { isScopeError } from '../platform/error-messages.ts';
import { link } from '../records/kinds.ts';
import { normalizeEmail, normalizeText } from '../records/normalize-text.ts';
import { fetchPage, getListFunction, type ListFunction, readPages, sortNewestFirst } from '../records/read-list.ts';
import {
  defineNameOutputs,
  extractOutputs,
  getSampleOutputs,
  type OutputMapping,
  toFlatRecord,
} from '../records/record-kind.ts';
import { findById } from '../records/search-records.ts';
import { getVisitIds } from '../records/visit-choices.ts';
import { defineWebhookTrigger } from './define-webhook-trigger.ts';
import { findOnFirstPage, getFoundItem, tryLookup } from './event-lookup.ts';
import {
  createEventOutputFields,
  createFieldFilter,
  type FlatEvent,
  flattenEvent,
  hasAllFields,
  needsLaterPage,
} from './webhook-trigger.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'viewed_at', type: 'datetime', from: RECORD_FIELDS.viewedAt, sample: '2026-10-08T12:04:19.000Z' },
  { key: 'link_id', from: RECORD_FIELDS.linkId, sample: 'lnk_4c8d1x7t' },
  { key: 'link_name', from: RECORD_FIELDS.linkName, sample: 'Deck for Northwind' },
  { key: 'link_url', from: RECORD_FIELDS.linkUrl, sample: 'https://share.example.com/l/4c8d1x7t' },
  { key: 'document_id', from: RECORD_FIELDS.documentId, sample: 'doc_7f3k2m9q' },
  { key: 'document_name', from: RECORD_FIELDS.documentName, sample: 'Series A Deck.pdf' },
  { key: 'visit_id', from: RECORD_FIELDS.visitId, sample: 'vis_3n9c5k1w' },
  { key: 'visitor_email', from: RECORD_FIELDS.visitorEmail, sample: 'ann@northwind.example' },
  { key: 'visitor_name', from: RECORD_FIELDS.visitorName, sample: 'Ann Northwind' },
  ...defineNameOutputs('visitor_', RECORD_FIELDS.visitorName),
  { key: 'country', from: RECORD_FIELDS.country, sample: 'DE' },
  {
    key: 'duration_seconds',
    label: 'Seconds Spent (empty when the link was just opened)',
    type: 'number',
    from: RECORD_FIELDS.durationSeconds,
    sample: 214,
  },
  { key: 'pages_viewed', type: 'integer', from: RECORD_FIELDS.pagesViewed, sample: 11 },
  { key: 'completion', label: 'Read (percent)', type: 'percent', from: RECORD_FIELDS.completion, sample: 78 },
];

const EVENT = 'link.viewed';
const SHAPE = { text: 'Link viewed', outputs: OUTPUTS, timeKey: 'viewed_at' };
/** Outputs that a live event does not have yet, or as 0: a filter built on an example must work. */
const UNKNOWN_AT_OPENING = { duration_seconds: null, pages_viewed: null, completion: null };
const MAX_SAMPLE_LINKS = 2;
const MAX_SAMPLE_VIEWS = 25;
const MAX_REPORT_PAGES = 3;

const FILTERS = { link: createFieldFilter('link_id'), document: createFieldFilter('document_id') };

export const linkViewed = defineWebhookTrigger({
  key: 'link_viewed',
  noun: 'Link View',
  label: 'Link Viewed',
  description: 'Triggers when a visitor opens one of your share links.',
  event: EVENT,
  inputFields: [
    {
      key: 'link',
      label: 'Link',
      type: 'string',
      dynamic: 'link_list.id.name',
      helpText: 'Trigger only for views of this link. Leave empty for all links of the workspace.',
    },
    {
      key: 'document',
      label: 'Document',
      type: 'string',
      dynamic: 'document_list.id.name',
      helpText: 'Trigger only for links to this document. Views of other documents do not use tasks.',
    },
  ],
  outputFields: createEventOutputFields(OUTPUTS),
  sample: {
    id: 'evt_6d2r8f4b',
    event: SHAPE.text,
    ...getSampleOutputs(OUTPUTS),
    ...UNKNOWN_AT_OPENING,
    raw: { id: 'evt_6d2r8f4b', type: EVENT, data: { link_id: 'lnk_4c8d1x7t', visit_id: 'vis_3n9c5k1w' } },
  },
  flatten: (event) => {
    const { data } = event;
    const namedLinkId = getTextField(data, RECORD_FIELDS.linkId);
    const dataId = idOf(data, 'visit');
    const namedVisitId = getTextField(data, RECORD_FIELDS.visitId);
    const isVisit = namedVisitId !== undefined && (dataId === namedVisitId || dataId === event.id);
    // Data with a link ID is a visit. Other data is the link itself, unless it names only a visit.
    const ids = {
      link_id: namedLinkId ?? (isVisit ? undefined : dataId),
      visit_id: namedLinkId !== undefined && dataId !== event.id ? dataId : undefined,
    };
    // Some services name the visit's values in an object beside the link.
    const visit = RECORD_FIELDS.visit.map((name) => getValueAtPath(data, name)).find(isObject);
    return flattenView({ ...event, sources: [data, ids, getVisitFields(visit)] });
  },
  filters: FILTERS,
  isComplete: (event) =>
    hasAllFields(event, ['link_id', 'link_url', 'viewed_at']) &&
    event['document_id'] !== null &&
    (event['visitor_email'] !== null || event['visit_id'] !== null),
  verify: async (event, step) => {
    const { client, signed, input } = step;
    const { visit_id: visitId, link_id: id } = event;
    const visit = typeof visitId === 'string' ? await tryLookup(client.analytics.visit({ id: visitId })) : undefined;
    const visitLinkId = getTextField(getFoundItem(visit), RECORD_FIELDS.linkId);
    const linkId = id ?? visitLinkId;
    let found =
      typeof linkId === 'string' ? await findOnFirstPage(link, client, linkId, event['viewed_at']) : undefined;
    const enrich = () => {
      const recordFields = [getVisitFields(getFoundItem(visit)), getLinkFields(getFoundItem(found))];
      // The event's share is a percentage already: it must not be converted again.
      const eventFields = { ...event, completion: null, completion_percent: event['completion'] };
      // The service's records override an unsigned delivery.
      return flattenView({
        ...event,
        sources: signed ? [eventFields, ...recordFields] : [...recordFields, eventFields],
      });
    };
    if (needsLaterPage(FILTERS, { event: enrich(), input, onFirstPage: found }))
      found = await findById(link, step, String(linkId));
    const enrichedEvent = enrich();
    const result = { event: enrichedEvent, isRecordRead: getFoundItem(found) !== undefined };
    // A forged message may combine a visit with another link.
    const isOfLink = visitLinkId === undefined || visitLinkId === linkId;
    if (getFoundItem(visit) !== undefined) return { outcome: isOfLink ? 'confirmed' : 'open', ...result };
    // Analytics may lag behind; a link missing from the whole list never existed or is deleted.
    if (visit !== undefined) return { outcome: found?.kind === 'not-found' ? 'denied' : 'open', ...result };
    if (typeof linkId !== 'string') return { outcome: 'open', ...result };
    if (found?.kind !== 'not-found') {
      const isConfirmed = !signed && (await isReported(client, linkId, event));
      return { outcome: isConfirmed ? 'confirmed' : 'open', ...result };
    }
    const analytics = await tryLookup(client.analytics.link({ id: linkId }));
    return { outcome: analytics.kind === 'not-found' ? 'denied' : 'open', ...result };
  },
  listPastEvents: async ({ client, input }) => {
    const links = await fetchMatchingLinks(client, input).catch(emptyIfRejected);
    const views = await Promise.all(links.map((item) => fetchViews(client, item).catch(emptyIfRejected)));
    const newest = sortNewestFirst(views.flat(), (view) => view['viewed_at']).slice(0, MAX_SAMPLE_VIEWS);
    const documentId = newest[0]?.['document_id'];
    const document =
      typeof documentId === 'string' ? await tryLookup(client.documents.get({ id: documentId })) : undefined;
    const name = getTitle(getFoundItem(document)) ?? null;
    return newest.map((view) => ({
      ...view,
      ...UNKNOWN_AT_OPENING,
      document_name: view['document_name'] ?? (view['document_id'] === documentId ? name : null),
    }));
  },
});

/** Maximum difference between the time of an event and the visitor's last view in the link's report. */
const REPORT_TOLERANCE_MS = 5 * 60_000;

/** True if the link's report shows the view of an event that does not name its visit. */
async function isReported(client: Client, id: string, event: FlatEvent): Promise<boolean> {
  const at = Date.parse(String(event['viewed_at'] ?? new Date().toISOString()));
  const { visitor_email: email, visitor_name: name } = event;
  // A message may name nobody, although the report shows who viewed the link.
  const isVisitor = (shown: JsonObject) =>
    email
      ? normalizeEmail(shown['visitor_email']) === normalizeEmail(email)
      : !name || normalizeText(shown['visitor_name']) === normalizeText(name);
  const isView = (visitor: JsonObject) => {
    const shown: JsonObject = extractOutputs(OUTPUTS, getVisitFields(visitor));
    return isVisitor(shown) && Math.abs(Date.parse(String(shown['viewed_at'])) - at) < REPORT_TOLERANCE_MS;
  };
  const list: ListFunction = (query, options) => client.analytics.visitors({ ...query, id }, options);
  const isEnough = (items: readonly JsonObject[]) => items.some(isView);
  const reading = await tryLookup(readPages(list, { maxPages: MAX_REPORT_PAGES, isEnough }));
  return reading.kind === 'found' && isEnough(reading.item.readItems);
}

function flattenView(event: Parameters<typeof flattenEvent>[1]): FlatEvent {
  const view = flattenEvent(SHAPE, event);
  const nonZero = Object.keys(UNKNOWN_AT_OPENING).map((key) => [key, view[key] || null]);
  return Object.assign(view, Object.fromEntries(nonZero));
}

/** Fields of a visit; its `name` is the visitor's. */
function getVisitFields(item: JsonObject | undefined): JsonObject {
  if (!item) return {};
  return { visit_id: idOf(item, 'visit'), visitor_name: getTextField(item, ['name']), ...item };
}

/** Fields of a link, under the event's names; its own times and totals are not those of one view. */
function getLinkFields(item: JsonObject | undefined): JsonObject {
  if (!item) return {};
  const { id, name, url, document_id, document_name } = toFlatRecord(link, item);
  return { link_id: id, link_name: name, link_url: url, document_id, document_name };
}

/** Reads only the first page: a test must not use up the rate limit of running Zaps. */
async function fetchMatchingLinks(client: Client, input: JsonObject): Promise<JsonObject[]> {
  const { items } = await fetchPage(getListFunction(link, client));
  const { link: linkId, document: documentId } = input;
  const matching = items.filter((item) => {
    const { id, document_id } = toFlatRecord(link, item);
    return (linkId ?? id) === id && (documentId ?? document_id) === document_id;
  });
  // The link may be beyond the first page.
  if (matching.length === 0 && linkId !== undefined) return [{ id: linkId }];
  return sortNewestFirst(matching, (item) => toFlatRecord(link, item).created_at).slice(0, MAX_SAMPLE_LINKS);
}

async function fetchViews(client: Client, item: JsonObject): Promise<FlatEvent[]> {
  const { id } = toFlatRecord(link, item);
  const page = await client.analytics.visitors({ id });
  return page.items.slice(0, MAX_SAMPLE_VIEWS).map((visitor) => {
    const visit = getTextField(visitor, RECORD_FIELDS.visitId) ?? getVisitIds(visitor).at(-1);
    const view = flattenEvent(SHAPE, {
      id: '',
      raw: visitor,
      sources: [{ visit_id: visit }, getVisitFields(visitor), getLinkFields(item)],
    });
    return { ...view, id: visit ?? `${id}-${String(view['visitor_email'])}-${String(view['viewed_at'])}` };
  });
}

/** Without permission, or before analytics know a link, Zapier shows the static sample. */
function emptyIfRejected(error: unknown): [] {
  const isRejected = error instanceof PermissionError || error instanceof NotFoundError;
  if (isRejected || (error instanceof ApiError && isScopeError(error))) return [];
  throw error;
}
