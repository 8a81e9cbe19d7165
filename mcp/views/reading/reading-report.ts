import { VISIT_ID_FIELDS } from '../../../src/assumptions/index.ts';
import { RECORD_FIELDS } from '../../../src/assumptions/record-fields.ts';
import {
  DOCUMENT_LISTS,
  METRIC_ENVELOPES,
  METRIC_FIELDS,
  VISITOR_LISTS,
} from '../../../src/assumptions/report-metrics.ts';
import { getField, getName, getTextField, idOf, isObject, type JsonObject } from '../../../src/records/fields.ts';
import { clampValue, collectPageReads, findNumber, findPageImages, forEachPage, type PageRead } from './page-reads.ts';

/** A visitor, summed over the visits in the result. */
export interface Reader {
  readonly name: string;
  readonly email?: string;
  /** Total as the service reports it, or the sum of the visits. */
  readonly seconds: number;
  readonly visits?: number;
  readonly first?: string;
  readonly last?: string;
  /** Number of pages viewed; undefined if the result has no page data. */
  readonly pageTotal?: number;
  /** Seconds by page, computed on demand. */
  pages(): ReadonlyMap<number, number>;
  /** A visit that can be fetched with `get_visit`. */
  readonly visitId?: string;
}

export interface Metric {
  readonly label: string;
  readonly value: number | string;
  readonly kind: 'count' | 'span' | 'share' | 'moment';
}

/** A link's report, a room's metrics or one visit, whatever the service names their fields. */
export interface ReadingReport {
  readonly title: string;
  readonly metrics: readonly Metric[];
  readonly readers: readonly Reader[];
  /** Highest page number in the result. */
  readonly pageCount: number;
  /** Viewers of each page, from page 1. */
  readonly readersByPage: readonly number[];
  readonly pageImages: ReadonlyMap<number, string>;
  readonly documents: readonly { readonly name: string; readonly views: number }[];
  readonly partial?: string;
}

export function parseReadingReport(toolResult: JsonObject): ReadingReport {
  const totals = isObject(toolResult['totals']) ? toolResult['totals'] : mergeNestedTotals(toolResult);
  const pageTotals = collectPageReads(totals) ?? [];
  const visitors = findList(toolResult, VISITOR_LISTS) ?? findList(totals, VISITOR_LISTS);
  const singleVisitor =
    visitors === undefined && pageTotals.length > 0 && !isAggregate(toolResult, pageTotals) ? [toolResult] : [];
  const tally = createPageTally();
  const readers = (visitors ?? singleVisitor).map((visitor) => toReader(visitor, tally));
  const countedPages = pageTotals.filter(({ views }) => views !== undefined);
  if (countedPages.length > 0) tally.clear();
  for (const { page, views = 0 } of countedPages) tally.set(page, views);
  for (const { page } of pageTotals) tally.extendTo(page);
  const readersByPage = tally.counts();
  return {
    title: getTextField(totals, ['link_name', 'name']) ?? 'Viewing report',
    metrics: collectMetrics(totals),
    readers,
    pageCount: readersByPage.length,
    readersByPage,
    pageImages: findPageImages(totals),
    documents: (findList(toolResult, DOCUMENT_LISTS) ?? findList(totals, DOCUMENT_LISTS) ?? []).map((document) => ({
      name: getName(document, 'document') ?? 'Document',
      views: clampValue(findNumber(document, METRIC_FIELDS.views) ?? 0),
    })),
    ...(typeof toolResult['partial'] === 'string' ? { partial: toolResult['partial'] } : {}),
  };
}

/** Higher page numbers are errors of the service. */
const MAX_PAGES = 10_000;

interface PageTally {
  /** Counts a reader once per page. @returns whether the reader is new on this page. */
  add(page: number, reader: number): boolean;
  set(page: number, count: number): void;
  extendTo(page: number): void;
  clear(): void;
  counts(): number[];
}

function createPageTally(): PageTally {
  const counts: number[] = [];
  const lastReader: number[] = [];
  const extendTo = (page: number) => {
    for (let at = counts.length; at < Math.min(page, MAX_PAGES); at++) counts.push(0);
  };
  return {
    extendTo,
    add(page, reader) {
      if (lastReader[page] === reader || page > MAX_PAGES) return false;
      lastReader[page] = reader;
      extendTo(page);
      counts[page - 1] = (counts[page - 1] ?? 0) + 1;
      return true;
    },
    set(page, count) {
      extendTo(page);
      if (page <= counts.length) counts[page - 1] = count;
    },
    clear: () => void counts.fill(0),
    counts: () => counts,
  };
}

/** Adds metrics that are nested one level deep. */
function mergeNestedTotals(toolResult: JsonObject): JsonObject {
  for (const name of METRIC_ENVELOPES) {
    const inner = getField(toolResult, name);
    if (isObject(inner)) return { ...toolResult, ...inner };
  }
  return toolResult;
}

/** Returns whether pages are summed over visits: they count views, or the result counts visitors. */
function isAggregate(toolResult: JsonObject, pages: readonly PageRead[]): boolean {
  return (
    pages.some(({ views }) => views !== undefined) || findNumber(toolResult, METRIC_FIELDS.uniqueVisitors) !== undefined
  );
}

function findList(item: JsonObject, names: readonly string[]): JsonObject[] | undefined {
  for (const name of names) {
    const list = getField(item, name);
    if (Array.isArray(list)) return list.filter(isObject);
  }
  return undefined;
}

let readerCount = 0;

function toReader(visitor: JsonObject, tally: PageTally): Reader {
  const visits = Array.isArray(visitor['visits']) ? visitor['visits'].filter(isObject) : [];
  const parts = visits.length > 0 ? visits : [visitor];
  readerCount += 1;
  const readerIndex = readerCount;
  let [hasPages, pageTotal, readSeconds] = [false, 0, 0];
  for (const part of parts) {
    const partHasPages = forEachPage(part, (page, seconds) => {
      readSeconds += seconds;
      if (tally.add(page, readerIndex)) pageTotal += 1;
    });
    hasPages ||= partHasPages;
  }
  const email = getTextField(visitor, RECORD_FIELDS.visitorEmail);
  const first = getTextField(visitor, [...METRIC_FIELDS.firstViewedAt, ...RECORD_FIELDS.viewedAt]);
  const last = getTextField(visitor, [...METRIC_FIELDS.lastViewedAt, ...METRIC_FIELDS.endedAt]);
  const visitCount = findNumber(visitor, METRIC_FIELDS.visitCount) ?? (visits.length > 0 ? visits.length : undefined);
  const visitId = getVisitId(visitor, visits);
  return {
    name: getTextField(visitor, [...RECORD_FIELDS.visitorName, 'name']) ?? email ?? 'Anonymous visitor',
    seconds: findNumber(visitor, RECORD_FIELDS.durationSeconds) ?? readSeconds,
    ...(email === undefined ? {} : { email }),
    ...(visitCount === undefined ? {} : { visits: visitCount }),
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    ...(hasPages ? { pageTotal } : {}),
    pages: () => sumPages(parts),
    ...(visitId === undefined ? {} : { visitId }),
  };
}

function getVisitId(visitor: JsonObject, visits: readonly JsonObject[]): string | undefined {
  for (const name of VISIT_ID_FIELDS) {
    const value = visitor[name];
    const id = Array.isArray(value) ? value[0] : value;
    if (typeof id === 'string' && id !== '') return id;
  }
  return idOf(visits[0], 'visit') ?? idOf(visitor, 'visit');
}

function sumPages(visits: readonly JsonObject[]): Map<number, number> {
  const pages = new Map<number, number>();
  for (const visit of visits) forEachPage(visit, (page, seconds) => pages.set(page, (pages.get(page) ?? 0) + seconds));
  return pages;
}

function collectMetrics(totals: JsonObject): Metric[] {
  const metrics: Metric[] = [];
  const addMetric = (label: string, names: readonly string[], kind: Metric['kind']) => {
    const value = findNumber(totals, names);
    if (value !== undefined) metrics.push({ label, value, kind });
  };
  addMetric('Views', METRIC_FIELDS.views, 'count');
  addMetric('Visitors', METRIC_FIELDS.uniqueVisitors, 'count');
  addMetric('Total time', METRIC_FIELDS.totalSeconds, 'span');
  addMetric('Avg. visit', METRIC_FIELDS.averageSeconds, 'span');
  addMetric('Completion rate', METRIC_FIELDS.completionRate, 'share');
  const first = getTextField(totals, METRIC_FIELDS.firstViewedAt);
  const last = getTextField(totals, METRIC_FIELDS.lastViewedAt);
  if (first !== undefined) metrics.push({ label: 'First visit', value: first, kind: 'moment' });
  if (last !== undefined) metrics.push({ label: 'Last visit', value: last, kind: 'moment' });
  return metrics;
}
