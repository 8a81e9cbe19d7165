import { z } from 'zod';
import { METRIC_FIELDS, PAGE_FIELDS, PAGE_LISTS, VISIT_ID_FIELDS } from '../../src/assumptions/index.ts';
import { AuthenticationError, InputError, NotFoundError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { getField, getTextField, getTitle, idOf, isObject } from '../../src/records/fields.ts';
import { getFailureCode } from '../result/describe-failure.ts';
import { toBriefItem, toFullItem } from '../result/projection.ts';
import { redactSecretFields } from '../result/redact-secrets.ts';
import { countFitting } from '../result/token-budget.ts';
import { Limit, text } from '../tool/arguments.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { findInList } from './object-preview.ts';
import { getState } from './object-state.ts';

const DEFAULT_VISITS = 20;
const VIEWS_PER_PAGE = 'views_per_page';
const SECONDS_PER_PAGE = 'seconds_per_page';
const MAX_WAIT_MS = 3000;
const READ_TIMEOUT_MS = 20_000;

/** Combines a link's totals, visitors and visits within the rate limit, and says what is missing. */
export const reportLink = defineTool({
  name: 'report_link',
  title: 'Report link',
  description:
    'Reports who viewed a share link and for how long: its state, totals, after which page most people stop, visitors with the seconds per page. "partial" names what is missing.',
  operations: ['analytics.link', 'analytics.visitors', 'analytics.visit'],
  inputSchema: z.strictObject({
    id: text('Link ID, from list_links.'),
    visits: Limit.meta({
      type: 'integer',
      description: 'Maximum number of visits to read, 1 to 1000. Default: 20.',
    }).optional(),
    detail: text('"full" for each visit, or "brief" (default).').optional(),
  }),
  idSource: 'list_links',
  outputSchema: {
    type: 'object',
    properties: { totals: { type: 'object' }, visitors: { type: 'array' }, partial: { type: 'string' } },
  },
  async handler(context, { id, visits: maxVisits = DEFAULT_VISITS, detail }) {
    const { client, options } = context;
    const missing: string[] = [];
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
    const page = await readPart('the visitors', async () => client.analytics.visitors({ id }, options));
    if (!totals && !page) throw failures[0];
    if (page?.cursor) missing.push('there are more visitors: use list_link_visitors to get all');
    if (page?.complete === false) missing.push('the service did not return all visitors');
    const link = context.mode.readableGroups.includes('links')
      ? await findInList(context, { group: 'links', id })
      : undefined;
    const visitors = await addVisits(context, page?.items ?? [], { maxVisits, missing });
    const clean = visitors.map((visitor) => redactSecretFields(visitor, []) as JsonObject);
    // The rest of the token budget is for the totals.
    const fittingCount = countFitting(clean, 17_000);
    if (fittingCount < clean.length) missing.push(`${clean.length - fittingCount} visitors did not fit`);
    const report = {
      id,
      ...(link?.kind === 'found' ? describeLink(link.item) : {}),
      ...(totals ? { totals: withoutRepeated(totals), ...findStop(totals) } : {}),
      ...(page ? { visitors: clean.slice(0, fittingCount) } : {}),
      ...(missing.length > 0 ? { partial: `${missing.join('; ')}.` } : {}),
    };
    return {
      data: detail === 'full' ? report : toBriefReport(report),
      trustedFields: ['partial', 'id', `totals.${VIEWS_PER_PAGE}`, `visitors.${SECONDS_PER_PAGE}`],
      meta: { report },
    };
  },
});

/** A report with one text per list of pages, and the visits of a person as one. */
function toBriefReport<Report extends { totals?: JsonObject; visitors?: readonly JsonObject[] }>(report: Report) {
  const { totals, visitors } = report;
  const pages = totals && getPageViews(totals);
  return {
    ...report,
    ...(totals ? { totals: { ...pickPlain(totals), ...toText(VIEWS_PER_PAGE, pages ?? []) } } : {}),
    ...(visitors ? { visitors: visitors.map(toBriefVisitor) } : {}),
  };
}

/** Fields with one value, without IDs. */
const pickPlain = (item: JsonObject) =>
  Object.fromEntries(
    Object.entries(item).filter(([name, value]) => typeof value !== 'object' && !/(?:^|_)id$|Id$/.test(name)),
  );

const toText = (name: string, pages: readonly { readonly page: number; readonly views: number }[]) =>
  pages.length === 0 ? {} : { [name]: pages.map(({ page, views }) => `${page}: ${views}`).join(', ') };

function toBriefVisitor({ visits, ...visitor }: JsonObject): JsonObject {
  const list = Array.isArray(visits) ? visits.filter(isObject) : [];
  const seconds = new Map<number, number>();
  for (const page of list.flatMap(listPages)) {
    const number = Number(getTextField(page, PAGE_FIELDS.number));
    const time = getTextField(page, PAGE_FIELDS.seconds) ?? Number(getTextField(page, PAGE_FIELDS.milliseconds)) / 1000;
    seconds.set(number, (seconds.get(number) ?? 0) + Math.round(Number(time)));
  }
  if ([...seconds].flat().some((value) => !Number.isFinite(value)) || seconds.size === 0)
    return { ...pickPlain(visitor), ...(visits === undefined ? {} : { visits }) };
  const pages = [...seconds].map(([page, views]) => ({ page, views })).toSorted((a, b) => a.page - b.page);
  return { ...pickPlain(visitor), ...toText(SECONDS_PER_PAGE, pages) };
}

function listPages(item: JsonObject): readonly unknown[] {
  return PAGE_LISTS.map((name) => getField(item, name)).find((value) => Array.isArray(value)) ?? [];
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
function getPageViews(totals: JsonObject): readonly { readonly page: number; readonly views: number }[] {
  const pages = listPages(totals).map((page) => ({
    page: Number(getTextField(page, PAGE_FIELDS.number)),
    views: Number(getTextField(page, METRIC_FIELDS.views)),
  }));
  const isCounted = pages.every(({ page, views }) => Number.isInteger(page) && Number.isFinite(views));
  return isCounted ? pages.toSorted((a, b) => a.page - b.page) : [];
}

/** The page after which most people stop, before the last one. */
function findStop(totals: JsonObject): JsonObject {
  const pages = getPageViews(totals);
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
    const failed = await readVisitsInTime(context, { ids: allIds.slice(0, maxVisits), read });
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

/** Reads visits until the rate limit would delay them. Returns the code of the error that stopped it, if any. */
async function readVisitsInTime(
  context: ToolContext,
  { ids, read }: { ids: readonly string[]; read: Map<string, JsonObject> },
): Promise<string | undefined> {
  const deadline = Date.now() + READ_TIMEOUT_MS;
  let failed: string | undefined;
  const queue = ids.filter((id) => !read.has(id));
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      if (context.client.expectedWaitMs() > MAX_WAIT_MS || Date.now() > deadline) return;
      if (failed !== undefined) return;
      const visit = await readVisit(context, id).catch((error: unknown) => {
        if (context.options.signal?.aborted) throw error;
        failed = getFailureCode(error);
        return undefined;
      });
      if (visit) read.set(id, visit);
      context.progress.step(read.size, ids.length, `read ${read.size} of ${ids.length} visits`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return failed;
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
