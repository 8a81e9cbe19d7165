import { fieldOf, idOf, isObject, type JsonObject, nameOf, textField } from '../../../src/answer/fields.ts';
import { RECORD_FIELDS } from '../../../src/assumptions/forms.ts';
import { VISIT_ID_FIELDS } from '../../../src/assumptions/index.ts';
import {
  DOCUMENT_LISTS,
  FIGURE_ENVELOPES,
  FIGURE_FIELDS,
  VISITOR_LISTS,
} from '../../../src/assumptions/reports.ts';
import { numberIn, type PageRead, pagesOf } from './pages-of.ts';

/** Somebody who read, summed over the visits that are at hand. */
export interface Reader {
  readonly name: string;
  readonly email?: string;
  /** Of the whole, as the answer says; else of the visits at hand. */
  readonly seconds: number;
  readonly visits?: number;
  readonly first?: string;
  readonly last?: string;
  /** Seconds by page; undefined where no visit of theirs was read. */
  readonly pages?: ReadonlyMap<number, number>;
  /** A visit that can be read on its own. */
  readonly visitId?: string;
}

export interface Figure {
  readonly label: string;
  readonly value: number | string;
  readonly kind: 'count' | 'span' | 'share' | 'moment';
}

/** Who read what: a link's report, a room's figures or one visit, whatever their names on the wire. */
export interface Reading {
  readonly figures: readonly Figure[];
  readonly readers: readonly Reader[];
  /** The highest page that anybody or the sum tells of. */
  readonly pageCount: number;
  /** How many opened each page, from page 1 on. */
  readonly reached: readonly number[];
  readonly documents: readonly { readonly name: string; readonly views: number }[];
  readonly partial?: string;
}

export function readingOf(answer: JsonObject): Reading {
  const totals = isObject(answer['totals']) ? answer['totals'] : figuresIn(answer);
  const sums = pagesOf(totals) ?? [];
  const visitors = listIn(answer, VISITOR_LISTS) ?? listIn(totals, VISITOR_LISTS);
  const alone = visitors === undefined && sums.length > 0 && !isSum(answer, sums) ? [readerOf(answer)] : [];
  const readers = visitors?.map(readerOf) ?? alone;
  const pageCount = Math.min(
    10_000,
    Math.max(0, ...sums.map(({ page }) => page), ...readers.map((reader) => lastPage(reader))),
  );
  return {
    figures: figuresOf(totals),
    readers,
    pageCount,
    reached: reachedOf({ sums, readers, pageCount }),
    documents: (listIn(answer, DOCUMENT_LISTS) ?? listIn(totals, DOCUMENT_LISTS) ?? []).map((document) => ({
      name: nameOf(document, 'document') ?? 'Document',
      views: numberIn(document, FIGURE_FIELDS.views) ?? 0,
    })),
    ...(typeof answer['partial'] === 'string' ? { partial: answer['partial'] } : {}),
  };
}

/** Figures that stand one level down. */
function figuresIn(answer: JsonObject): JsonObject {
  for (const name of FIGURE_ENVELOPES) {
    const inner = fieldOf(answer, name);
    if (isObject(inner)) return { ...answer, ...inner };
  }
  return answer;
}

/** Whether pages are summed over visits: then each counts its openings, or the whole counts its visitors. */
function isSum(answer: JsonObject, pages: readonly PageRead[]): boolean {
  return (
    pages.some(({ views }) => views !== undefined) ||
    numberIn(answer, FIGURE_FIELDS.uniqueVisitors) !== undefined
  );
}

function listIn(item: JsonObject, names: readonly string[]): JsonObject[] | undefined {
  for (const name of names) {
    const list = fieldOf(item, name);
    if (Array.isArray(list)) return list.filter(isObject);
  }
  return undefined;
}

function readerOf(visitor: JsonObject): Reader {
  const visits = Array.isArray(visitor['visits']) ? visitor['visits'].filter(isObject) : [];
  const parts = visits.length > 0 ? visits : [visitor];
  const pages = new Map<number, number>();
  let isKnown = false;
  for (const part of parts) {
    const reads = pagesOf(part);
    if (reads) isKnown = true;
    for (const { page, seconds } of reads ?? []) pages.set(page, (pages.get(page) ?? 0) + seconds);
  }
  const email = textField(visitor, RECORD_FIELDS.visitorEmail);
  const first = textField(visitor, [...FIGURE_FIELDS.firstViewedAt, ...RECORD_FIELDS.viewedAt]);
  const last = textField(visitor, [...FIGURE_FIELDS.lastViewedAt, ...FIGURE_FIELDS.endedAt]);
  const counted =
    numberIn(visitor, FIGURE_FIELDS.visitCount) ?? (visits.length > 0 ? visits.length : undefined);
  const visitId = visitIdOf(visitor, visits);
  return {
    name: textField(visitor, [...RECORD_FIELDS.visitorName, 'name']) ?? email ?? 'Somebody without a name',
    seconds: numberIn(visitor, RECORD_FIELDS.durationSeconds) ?? sumOf(pages.values()),
    ...(email === undefined ? {} : { email }),
    ...(counted === undefined ? {} : { visits: counted }),
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    ...(isKnown ? { pages } : {}),
    ...(visitId === undefined ? {} : { visitId }),
  };
}

function visitIdOf(visitor: JsonObject, visits: readonly JsonObject[]): string | undefined {
  for (const name of VISIT_ID_FIELDS) {
    const value = visitor[name];
    const id = Array.isArray(value) ? value[0] : value;
    if (typeof id === 'string' && id !== '') return id;
  }
  return idOf(visits[0], 'visit') ?? idOf(visitor, 'visit');
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function lastPage({ pages }: Reader): number {
  let last = 0;
  for (const page of pages?.keys() ?? []) if (page > last) last = page;
  return last;
}

/** Openings as the service sums them, else the readers whose visits are at hand. */
function reachedOf(input: {
  sums: readonly PageRead[];
  readers: readonly Reader[];
  pageCount: number;
}): number[] {
  const reached = new Array<number>(input.pageCount).fill(0);
  const counted = input.sums.filter(({ views }) => views !== undefined);
  for (const { page, views = 0 } of counted) if (page >= 1) reached[Math.floor(page) - 1] = views;
  if (counted.length > 0) return reached;
  for (const { pages } of input.readers)
    for (const [page, seconds] of pages ?? [])
      if (page >= 1 && seconds >= 0) reached[Math.floor(page) - 1] = (reached[Math.floor(page) - 1] ?? 0) + 1;
  return reached;
}

function figuresOf(totals: JsonObject): Figure[] {
  const figures: Figure[] = [];
  const count = (label: string, names: readonly string[], kind: Figure['kind']) => {
    const value = numberIn(totals, names);
    if (value !== undefined) figures.push({ label, value, kind });
  };
  count('Views', FIGURE_FIELDS.views, 'count');
  count('Visitors', FIGURE_FIELDS.uniqueVisitors, 'count');
  count('Reading time', FIGURE_FIELDS.totalSeconds, 'span');
  count('A visit', FIGURE_FIELDS.averageSeconds, 'span');
  count('Read to the end', FIGURE_FIELDS.completionRate, 'share');
  const first = textField(totals, FIGURE_FIELDS.firstViewedAt);
  const last = textField(totals, FIGURE_FIELDS.lastViewedAt);
  if (first !== undefined) figures.push({ label: 'First visit', value: first, kind: 'moment' });
  if (last !== undefined) figures.push({ label: 'Last visit', value: last, kind: 'moment' });
  return figures;
}
