import { z } from 'zod';
import { METRIC_FIELDS, PAGE_FIELDS } from '../../src/assumptions/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { getTextField, isObject } from '../../src/records/fields.ts';
import { createListFilter } from '../result/list-filter.ts';
import { withIdAndName } from '../result/projection.ts';
import { findMatch } from '../result/search-rank.ts';
import { countItemsInBudget } from '../result/token-budget.ts';
import { Limit, text } from '../tool/arguments.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import {
  findStopPage,
  getPageViews,
  getReportPages,
  type LinkReport,
  MAX_VISITOR_TOKENS,
  type PageViews,
  readLinkReport,
} from './link-report.ts';
import { findMatchingItems, getReference } from './object-lookup.ts';
import { createReadDeadline } from './read-in-time.ts';

const DEFAULT_VISITS = 20;
const MAX_LINKS = 20;
const VIEWS_PER_PAGE = 'views_per_page';
const SECONDS_PER_PAGE = 'seconds_per_page';

/** Combines a link's totals, visitors and visits within the rate limit, and says what is missing. */
export const reportLink = defineTool({
  name: 'report_link',
  title: 'Report link',
  description:
    'Reports who viewed a link, or all links of a document: state, totals, the page after which most people stop, visitors with seconds per page. "partial" names what is missing.',
  operations: ['analytics.link', 'analytics.visitors', 'analytics.visit'],
  inputSchema: z.strictObject({
    id: text('Link ID.').optional(),
    document_id: text('Or a document ID.').optional(),
    match: text('Or part of a name.').optional(),
    visits: Limit.meta({ type: 'integer', description: 'Visits to read per link. Default: 20.' }).optional(),
    detail: text('"full" for each visit.').optional(),
  }),
  idSource: 'list_links',
  outputSchema: {
    type: 'object',
    properties: { totals: { type: 'object' }, visitors: { type: 'array' }, partial: { type: 'string' } },
  },
  async handler(context, { id, document_id, match, visits = DEFAULT_VISITS, detail }) {
    const selectors = [id, document_id, match].filter((one) => one !== undefined);
    if (selectors.length !== 1)
      throw new ToolError('invalid_arguments', 'Use exactly one of id, document_id and match.');
    const report =
      id === undefined
        ? await reportSeveral(context, { document_id, match, visits })
        : await readLinkReport(context, { id, visits });
    const names = ['partial', 'id', `totals.${VIEWS_PER_PAGE}`, `visitors.${SECONDS_PER_PAGE}`];
    return {
      data: detail === 'full' ? { ...report } : toBriefReport(report),
      trustedFields: [...names, 'links.id', `links.totals.${VIEWS_PER_PAGE}`, 'links.partial', 'visitors.link_id'],
      meta: { report },
    };
  },
});

interface Target {
  readonly document_id: string | undefined;
  readonly match: string | undefined;
}

/** Reports the links of a document, or those that match by their names or by the names of their documents. */
async function reportSeveral(context: ToolContext, target: Target & { readonly visits: number }): Promise<LinkReport> {
  const { visits, match } = target;
  const { links, missing } = await findReportedLinks(context, target);
  const toReport = (listed: JsonObject) => ({ id: String(withIdAndName(listed, 'link')['id']), listed, visits });
  const [only] = links;
  if (!only) {
    const rest = missing.length > 0 ? ` ${missing.join('; ')}.` : '';
    throw new ToolError('not_found', `No link with this name or of this document was found. Use find to look.${rest}`);
  }
  if (links.length === 1) return readLinkReport(context, { ...toReport(only), missing });
  const reports: LinkReport[] = [];
  const failures: unknown[] = [];
  const mayRead = createReadDeadline(context);
  for (const listed of links.slice(0, MAX_LINKS)) {
    if (reports.length > 0 && !mayRead()) break;
    await readLinkReport(context, toReport(listed)).then(
      (report) => reports.push(report),
      (error: unknown) => failures.push(error),
    );
    context.options.signal?.throwIfAborted();
  }
  if (reports.length === 0) throw failures[0];
  const left = links.length - reports.length;
  if (left > 0) missing.push(`${left} of ${links.length} links were not read`);
  return joinReports(reports, { missing, name: match });
}

async function findReportedLinks(context: ToolContext, { document_id, match }: Target) {
  const missing: string[] = [];
  const read = async (group: 'links' | 'documents', matches?: (item: JsonObject) => boolean) => {
    if (!context.mode.readableGroups.includes(group)) {
      missing.push(`The ${group} are not enabled`);
      return [];
    }
    const { items, isComplete } = await findMatchingItems(context, { group, ...(matches && { matches }) });
    if (!isComplete) missing.push(`The list of ${group} was not read to its end`);
    return items;
  };
  if (match === undefined)
    return { links: await read('links', (link) => getReference(link, 'document_id') === document_id), missing };
  createListFilter({ match }, 'link');
  const [links, documents] = await Promise.all([
    read('links'),
    read('documents', (document) => findMatch(document, match, 'document') !== undefined),
  ]);
  const ids = new Set(documents.map((document) => withIdAndName(document, 'document')['id']));
  const found = links.flatMap((link) => {
    const rank = findMatch(link, match, 'link')?.rank;
    return rank === undefined && !ids.has(getReference(link, 'document_id')) ? [] : [{ link, rank }];
  });
  const exact = found.filter(({ rank }) => rank === 0);
  return { links: (exact.length > 0 ? exact : found).map(({ link }) => link), missing };
}

function joinReports(
  reports: readonly LinkReport[],
  { missing, name }: { missing: string[]; name: string | undefined },
): LinkReport {
  const visitors = reports.flatMap(({ id, name: link, visitors: people = [] }) =>
    people.map((person) => ({ link, link_id: id, ...person })),
  );
  const fittingCount = countItemsInBudget(visitors, MAX_VISITOR_TOKENS);
  if (fittingCount < visitors.length) missing.push(`${visitors.length - fittingCount} visitors did not fit`);
  const byPage = new Map<number, number>();
  for (const { page, views } of reports.flatMap(({ totals = {} }) => getPageViews(totals)))
    byPage.set(page, (byPage.get(page) ?? 0) + views);
  const pages: readonly PageViews[] = [...byPage]
    .map(([page, views]) => ({ page, views }))
    .toSorted((a, b) => a.page - b.page);
  const views = reports.reduce((sum, { totals }) => sum + Number(getTextField(totals, METRIC_FIELDS.views) ?? 0), 0);
  const documents = new Set(reports.map(({ document }) => document?.['id']));
  const [{ document } = {}] = reports;
  return {
    ...(name === undefined ? {} : { name }),
    ...(document && documents.size === 1 ? { document } : {}),
    // Pages of different documents can't be added up.
    ...(documents.size === 1 ? { totals: { views, pages }, ...findStopPage(pages) } : { totals: { views } }),
    links: reports.map(({ visitors: _, ...link }) => link),
    visitors: visitors.slice(0, fittingCount),
    ...(missing.length > 0 ? { partial: `${missing.join('; ')}.` } : {}),
  };
}

/** A report with one text per list of pages, and the visits of a person as one. */
function toBriefReport(report: LinkReport): JsonObject {
  const { totals, visitors, links } = report;
  const pages = totals && getPageViews(totals);
  return {
    ...report,
    ...(totals ? { totals: { ...pickPlain(totals), ...toText(VIEWS_PER_PAGE, pages ?? []) } } : {}),
    ...(links ? { links: links.map(toBriefReport) } : {}),
    ...(visitors ? { visitors: visitors.map(toBriefVisitor) } : {}),
  };
}

/** Fields with one value, without IDs. */
const pickPlain = (item: JsonObject) =>
  Object.fromEntries(
    Object.entries(item).filter(([name, value]) => typeof value !== 'object' && !/(?:^|_)id$|Id$/.test(name)),
  );

const toText = (name: string, pages: readonly PageViews[]) =>
  pages.length === 0 ? {} : { [name]: pages.map(({ page, views }) => `${page}: ${views}`).join(', ') };

function toBriefVisitor({ visits, ...visitor }: JsonObject): JsonObject {
  const list = Array.isArray(visits) ? visits.filter(isObject) : [];
  const seconds = new Map<number, number>();
  for (const page of list.flatMap(getReportPages)) {
    const number = Number(getTextField(page, PAGE_FIELDS.number));
    const time = getTextField(page, PAGE_FIELDS.seconds) ?? Number(getTextField(page, PAGE_FIELDS.milliseconds)) / 1000;
    seconds.set(number, (seconds.get(number) ?? 0) + Math.round(Number(time)));
  }
  if ([...seconds].flat().some((value) => !Number.isFinite(value)) || seconds.size === 0)
    return { ...pickPlain(visitor), ...(visits === undefined ? {} : { visits }) };
  const pages = [...seconds].map(([page, views]) => ({ page, views })).toSorted((a, b) => a.page - b.page);
  return { ...pickPlain(visitor), ...toText(SECONDS_PER_PAGE, pages) };
}
