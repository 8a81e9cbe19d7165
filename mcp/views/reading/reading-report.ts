import { VISIT_ID_FIELDS } from '../../../src/assumptions/index.ts';
import { RECORD_FIELDS } from '../../../src/assumptions/record-fields.ts';
import * as assumed from '../../../src/assumptions/report-metrics.ts';
import {
  getField,
  getName,
  getTextField,
  getTitle,
  idOf,
  isObject,
  type JsonObject,
} from '../../../src/records/fields.ts';
import { clampValue, collectPageReads, findNumber, type PageRead } from './page-reads.ts';

export type Reader = ReturnType<typeof toReader>;

export interface Metric {
  readonly label: string;
  readonly value: number | string;
  readonly kind: 'count' | 'span' | 'share' | 'moment';
}

export type ReadingReport = ReturnType<typeof parseReadingReport>;

/** A link's report, a room's metrics or one visit, whatever the service names their fields. */
export function parseReadingReport(toolResult: JsonObject) {
  const totals = isObject(toolResult['totals']) ? toolResult['totals'] : mergeNestedTotals(toolResult);
  const pageTotals = collectPageReads(totals) ?? [];
  const visitors = findList(toolResult, assumed.VISITOR_LISTS) ?? findList(totals, assumed.VISITOR_LISTS);
  const singleVisitor =
    visitors === undefined && pageTotals.length > 0 && !isAggregate(toolResult, pageTotals) ? [toolResult] : [];
  const readers = (visitors ?? singleVisitor).map(toReader);
  const readersByPage = countReaders(readers, pageTotals);
  return {
    title: getTextField(totals, ['link_name', 'name']) ?? getTitle(totals) ?? getTitle(toolResult) ?? 'Viewing report',
    metrics: collectMetrics(totals),
    readers,
    /** Highest page number in the result. */
    pageCount: readersByPage.length,
    /** Viewers of each page, from page 1. */
    readersByPage,
    documents: (findList(toolResult, assumed.DOCUMENT_LISTS) ?? findList(totals, assumed.DOCUMENT_LISTS) ?? []).map(
      (document) => ({
        name: getName(document, 'document') ?? 'Document',
        views: clampValue(findNumber(document, assumed.METRIC_FIELDS.views) ?? 0),
      }),
    ),
    partial: typeof toolResult['partial'] === 'string' ? toolResult['partial'] : undefined,
  };
}

/** Higher page numbers are errors of the service. */
const MAX_PAGES = 10_000;

/** Counts the readers of each page, unless the service counts its views. */
function countReaders(readers: readonly Reader[], pageTotals: readonly PageRead[]): number[] {
  const readPages = readers.flatMap(({ pages }) => [...(pages?.keys() ?? [])]);
  const counts: number[] = [];
  const setCount = (page: number, count: number) => {
    while (counts.length < Math.min(page, MAX_PAGES)) counts.push(0);
    if (page <= counts.length) counts[page - 1] = count;
  };
  const hasViews = pageTotals.some(({ views }) => views !== undefined);
  for (const page of readPages) setCount(page, hasViews ? 0 : (counts[page - 1] ?? 0) + 1);
  for (const { page, views } of pageTotals) setCount(page, views ?? counts[page - 1] ?? 0);
  return counts;
}

/** Adds metrics that are nested one level deep. */
function mergeNestedTotals(toolResult: JsonObject): JsonObject {
  const inner = assumed.METRIC_ENVELOPES.map((name) => getField(toolResult, name)).find(isObject);
  return { ...toolResult, ...inner };
}

/** Returns whether pages are summed over visits: they count views, or the result counts visitors. */
function isAggregate(toolResult: JsonObject, pages: readonly PageRead[]): boolean {
  return (
    pages.some(({ views }) => views !== undefined) ||
    findNumber(toolResult, assumed.METRIC_FIELDS.uniqueVisitors) !== undefined
  );
}

function findList(item: JsonObject, names: readonly string[]): JsonObject[] | undefined {
  const list = names.map((name) => getField(item, name)).find(Array.isArray);
  return list?.filter(isObject);
}

/** A visitor, summed over the visits in the result. */
function toReader(visitor: JsonObject) {
  const visits = Array.isArray(visitor['visits']) ? visitor['visits'].filter(isObject) : [];
  const pages = sumPages(visits.length > 0 ? visits : [visitor]);
  const email = getTextField(visitor, RECORD_FIELDS.visitorEmail);
  const readSeconds = [...(pages?.values() ?? [])].reduce((sum, seconds) => sum + seconds, 0);
  return {
    name: getTextField(visitor, [...RECORD_FIELDS.visitorName, 'name']) ?? email ?? 'Anonymous visitor',
    email,
    /** Total as the service reports it, or the sum of the visits. */
    seconds: findNumber(visitor, RECORD_FIELDS.durationSeconds) ?? readSeconds,
    visits: findNumber(visitor, assumed.METRIC_FIELDS.visitCount) ?? (visits.length > 0 ? visits.length : undefined),
    first: getTextField(visitor, [...assumed.METRIC_FIELDS.firstViewedAt, ...RECORD_FIELDS.viewedAt]),
    last: getTextField(visitor, [...assumed.METRIC_FIELDS.lastViewedAt, ...assumed.METRIC_FIELDS.endedAt]),
    /** Seconds by page; undefined if the result has no page data. */
    pages,
    /** A visit that can be fetched with `get_visit`. */
    visitId: getVisitId(visitor, visits),
  };
}

function getVisitId(visitor: JsonObject, visits: readonly JsonObject[]): string | undefined {
  const ids = VISIT_ID_FIELDS.map((name) => [visitor[name]].flat()[0]);
  const id = ids.find((id): id is string => typeof id === 'string' && id !== '');
  return id ?? idOf(visits[0], 'visit') ?? idOf(visitor, 'visit');
}

function sumPages(visits: readonly JsonObject[]): Map<number, number> | undefined {
  const reads = visits.map(collectPageReads).filter((pages) => pages !== undefined);
  if (reads.length === 0) return undefined;
  const pages = new Map<number, number>();
  for (const { page, seconds } of reads.flat()) pages.set(page, (pages.get(page) ?? 0) + seconds);
  return pages;
}

function collectMetrics(totals: JsonObject): Metric[] {
  const metrics: Metric[] = [];
  const addMetric = (label: string, names: readonly string[], kind: Metric['kind']) => {
    const value = findNumber(totals, names);
    if (value !== undefined) metrics.push({ label, value, kind });
  };
  addMetric('Views', assumed.METRIC_FIELDS.views, 'count');
  addMetric('Visitors', assumed.METRIC_FIELDS.uniqueVisitors, 'count');
  addMetric('Total time', assumed.METRIC_FIELDS.totalSeconds, 'span');
  addMetric('Avg. visit', assumed.METRIC_FIELDS.averageSeconds, 'span');
  addMetric('Completion rate', assumed.METRIC_FIELDS.completionRate, 'share');
  const first = getTextField(totals, assumed.METRIC_FIELDS.firstViewedAt);
  const last = getTextField(totals, assumed.METRIC_FIELDS.lastViewedAt);
  if (first !== undefined) metrics.push({ label: 'First visit', value: first, kind: 'moment' });
  if (last !== undefined) metrics.push({ label: 'Last visit', value: last, kind: 'moment' });
  return metrics;
}
