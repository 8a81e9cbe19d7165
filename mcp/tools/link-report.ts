import { METRIC_FIELDS, PAGE_FIELDS, PAGE_LISTS, RECORD_FIELDS, VISIT_ID_FIELDS } from '../../src/assumptions/index.ts';
import { AuthenticationError, IncompleteListError, InputError, NotFoundError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { getField, getTextField, getTitle, idOf, isObject } from '../../src/records/fields.ts';
import { getFailureCode } from '../result/describe-failure.ts';
import { toBriefItem, toFullItem } from '../result/projection.ts';
import { redactSecretFields } from '../result/redact-secrets.ts';
import { countItemsInBudget } from '../result/token-budget.ts';
import type { ToolContext } from '../tool/tool.ts';
import { findInList, getReference, readDocumentIfPossible, readMatchingItems } from './object-lookup.ts';
import { getState } from './object-state.ts';
import { readEachInTime } from './read-in-time.ts';

/** The rest of the token budget is for the totals. */
export const MAX_VISITOR_TOKENS = 17_000;

export interface PageViews {
  readonly page: number;
  readonly views: number;
}

/** Report of a link, or of several: then `totals` and `visitors` are those of all, and `links` has each link's own. */
export interface LinkReport {
  readonly id?: string;
  readonly name?: string;
  readonly document?: JsonObject;
  readonly totals?: JsonObject;
  readonly most_stop_after?: JsonObject;
  readonly visitors?: readonly JsonObject[];
  readonly links?: readonly LinkReport[];
  readonly partial?: string;
}

interface ReportedLink {
  readonly id: string;
  /** The link, if it is known. */
  readonly listed?: JsonObject;
  /** Maximum number of visits to read. */
  readonly visits: number;
  /** Notes on parts that are already known to be missing. */
  readonly missing?: string[];
}

/** Reports a link within the rate limit. @throws if neither its totals nor its visitors can be read */
export async function readLinkReport(
  context: ToolContext,
  { id, listed, visits, missing = [] }: ReportedLink,
): Promise<LinkReport> {
  const { client, options } = context;
  const failures: unknown[] = [];
  const readPart = async <Result>(name: string, read: () => Promise<Result>) =>
    read().catch((error: unknown) => {
      if (affectsWholeReport(error) || options.signal?.aborted) throw error;
      failures.push(error);
      missing.push(`${name} could not be read (${getFailureCode(error)})`);
      return undefined;
    });
  const totals = await readPart('the totals', async () =>
    toFullItem(await client.analytics.link({ id }, options), 'link'),
  );
  const people = await readPart('the visitors', () => readVisitors(context, id, missing));
  if (!totals && !people) throw failures[0];
  const link = listed ?? (await findLink(context, id));
  const visitors = await addVisits(context, people ?? [], { maxVisits: visits, missing });
  const clean = visitors.map((visitor) => redactSecretFields(visitor));
  const fittingCount = countItemsInBudget(clean, MAX_VISITOR_TOKENS);
  if (fittingCount < clean.length) missing.push(`${clean.length - fittingCount} visitors did not fit`);
  return {
    id,
    ...(link ? { ...describeLink(link), ...(await describeDocument(context, getReference(link, 'document_id'))) } : {}),
    ...(totals ? { totals: withoutRepeated(totals), ...findStopPage(getPageViews(totals)) } : {}),
    ...(people ? { visitors: clean.slice(0, fittingCount) } : {}),
    ...(missing.length > 0 ? { partial: `${missing.join('; ')}.` } : {}),
  };
}

async function findLink(context: ToolContext, id: string): Promise<JsonObject | undefined> {
  if (!context.mode.readableGroups.includes('links')) return undefined;
  const lookup = await findInList(context, { group: 'links', id });
  return lookup.kind === 'found' ? lookup.item : undefined;
}

async function readVisitors({ client, options }: ToolContext, id: string, missing: string[]) {
  const { items, isComplete, failure } = await readMatchingItems(
    client.analytics.visitors({ id }, options),
    options.signal,
  );
  const isCut = failure instanceof IncompleteListError;
  if (failure !== undefined && !isCut && items.length === 0) throw failure;
  if (isCut) missing.push('the service did not return all visitors');
  else if (!isComplete) missing.push('there are more visitors: use list_link_visitors to get all');
  return items;
}

export function getReportPages(item: JsonObject): readonly unknown[] {
  return PAGE_LISTS.map((name) => getField(item, name)).find((value) => Array.isArray(value)) ?? [];
}

/** Name and length of the document that a link shows, by which one knows who read it to the end. */
async function describeDocument(context: ToolContext, id: string | undefined): Promise<JsonObject> {
  if (id === undefined || !context.mode.readableGroups.includes('documents')) return {};
  const document = await readDocumentIfPossible(context, id);
  const pages = Number(getTextField(document, RECORD_FIELDS.pageCount));
  const name = getTitle(document);
  const known = { ...(name === undefined ? {} : { name }), ...(pages > 0 ? { page_count: pages } : {}) };
  return document ? { document: { id, ...known } } : {};
}

function describeLink(link: JsonObject): JsonObject {
  const [name, state] = [getTitle(link), getState(link)];
  return { ...(name === undefined ? {} : { name }), ...(state === undefined ? {} : { state }) };
}

/** Totals without IDs, and without the drop-off of each page, which repeats the views of the pages. */
function withoutRepeated(totals: JsonObject): JsonObject {
  const hasPages = getPageViews(totals).length > 0;
  const isRepeated = (name: string) => /^(?:id|link_?id)$/i.test(name) || (hasPages && /^drop_?offs?$/i.test(name));
  return Object.fromEntries(Object.entries(totals).filter(([name]) => !isRepeated(name)));
}

/** Views of each page, in order; empty unless the service counts them. */
export function getPageViews(totals: JsonObject): readonly PageViews[] {
  const pages = getReportPages(totals).map((page) => ({
    page: Number(getTextField(page, PAGE_FIELDS.number)),
    views: Number(getTextField(page, METRIC_FIELDS.views)),
  }));
  const isCounted = pages.every(({ page, views }) => Number.isInteger(page) && Number.isFinite(views));
  return isCounted ? pages.toSorted((a, b) => a.page - b.page) : [];
}

/** The page after which most people stop, before the last one. */
export function findStopPage(pages: readonly PageViews[]): JsonObject {
  const stops = pages
    .slice(0, -1)
    .map(({ page, views }, index) => ({ page, views: views - (pages[index + 1]?.views ?? 0) }));
  const [most] = stops.filter(({ views }) => views > 0).toSorted((a, b) => b.views - a.views);
  return most ? { most_stop_after: { ...most, of_views: Math.max(...pages.map(({ views }) => views)) } } : {};
}

/** Errors that every part of the report would run into. */
function affectsWholeReport(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof AuthenticationError || error instanceof InputError;
}

async function addVisits(
  context: ToolContext,
  visitors: readonly JsonObject[],
  { maxVisits, missing }: { maxVisits: number; missing: string[] },
): Promise<JsonObject[]> {
  const listedIds = visitors.map(getVisitIds);
  const hasVisitIds = listedIds.flat().length > 0;
  const idsByVisitor = hasVisitIds
    ? listedIds
    : visitors.map((visitor) => [idOf(visitor, 'visit')].filter((id) => id !== undefined));
  const allIds = idsByVisitor.flat();
  const read = new Map<string, JsonObject>();
  // An entry's own id may be a visit id: one request tells.
  if (!hasVisitIds && allIds[0] !== undefined && maxVisits > 0) {
    const first = await readVisit(context, allIds[0]).catch((error: unknown) => {
      if (context.options.signal?.aborted) throw error;
      return getFailureCode(error);
    });
    if (isObject(first)) read.set(allIds[0], first);
    else if (first === undefined) missing.push('the service returned no visit IDs');
    else missing.push(`the visits could not be read (${first})`);
  }
  if (hasVisitIds || read.size > 0) {
    const wanted = allIds.slice(0, maxVisits);
    const unread = wanted.filter((id) => !read.has(id));
    const failed = await readEachInTime(context, unread, async (id) => {
      const visit = await readVisit(context, id);
      if (visit) read.set(id, visit);
      context.progress.step(read.size, wanted.length, `read ${read.size} of ${wanted.length} visits`);
    });
    const unreadCount = allIds.length - read.size;
    const failureNote = failed === undefined ? '' : ` (${failed})`;
    if (unreadCount > 0) missing.push(`${unreadCount} of ${allIds.length} visits were not read${failureNote}`);
  }
  return visitors.map((visitor, index) => {
    const visits = (idsByVisitor[index] ?? []).map((id) => read.get(id)).filter((visit) => visit !== undefined);
    const brief = toBriefItem(visitor, 'visitor');
    if (visits.length === 0) return brief;
    const rest = Object.entries(brief).filter(([name]) => !VISIT_ID_FIELDS.includes(name));
    return { ...Object.fromEntries(rest), visits: visits.map((visit) => withoutKnown(visit, brief)) };
  });
}

/** A visit without what its visitor and its link say. */
function withoutKnown(visit: JsonObject, visitor: JsonObject): JsonObject {
  const isKnown = ([name, value]: [string, unknown]) =>
    (name !== 'id' && /_?id$/i.test(name)) || (/name|email/i.test(name) && value === visitor[name]);
  return Object.fromEntries(Object.entries(visit).filter((entry) => !isKnown(entry)));
}

/** Returns undefined if the service does not know the visit. */
async function readVisit({ client, options }: ToolContext, id: string): Promise<JsonObject | undefined> {
  try {
    return toFullItem(await client.analytics.visit({ id }, options), 'visit');
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function getVisitIds(visitor: JsonObject): string[] {
  for (const field of VISIT_ID_FIELDS) {
    const value = getField(visitor, field);
    if (Array.isArray(value)) {
      const ids = value.flatMap((visit) => (isObject(visit) ? (idOf(visit, 'visit') ?? []) : String(visit)));
      if (ids.length > 0) return ids;
    }
    const id = getTextField(visitor, [field]);
    if (id !== undefined && !Number.isNaN(Number(id)) && field === 'visits') continue;
    if (id !== undefined) return [id];
  }
  return [];
}
