import {
  getField,
  getTextField,
  idOf,
  isObject,
  type JsonObject,
  nameOf,
} from '../../../src/answer/fields.ts';
import { RECORD_FIELDS } from '../../../src/assumptions/forms.ts';
import { VISIT_ID_FIELDS } from '../../../src/assumptions/index.ts';
import {
  DOCUMENT_LISTS,
  METRIC_ENVELOPES,
  METRIC_FIELDS,
  VISITOR_LISTS,
} from '../../../src/assumptions/reports.ts';
import { collectPageReads, eachPage, measured, numberIn, type PageRead, picturesIn } from './pages-of.ts';

/** Somebody who read, summed over the visits that are at hand. */
export interface Reader {
  readonly name: string;
  readonly email?: string;
  /** Of the whole, as the answer says; else of the visits at hand. */
  readonly seconds: number;
  readonly visits?: number;
  readonly first?: string;
  readonly last?: string;
  /** How many pages they opened; undefined where no visit of theirs was read. */
  readonly pageTotal?: number;
  /** Seconds by page, summed when somebody looks. */
  pages(): ReadonlyMap<number, number>;
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
  /** Pictures by page, of those that came inside the answer: a view may load none. */
  readonly pictures: ReadonlyMap<number, string>;
  readonly documents: readonly { readonly name: string; readonly views: number }[];
  readonly partial?: string;
}

export function parseReadingReport(answer: JsonObject): Reading {
  const totals = isObject(answer['totals']) ? answer['totals'] : figuresIn(answer);
  const sums = collectPageReads(totals) ?? [];
  const visitors = listIn(answer, VISITOR_LISTS) ?? listIn(totals, VISITOR_LISTS);
  const alone = visitors === undefined && sums.length > 0 && !isSum(answer, sums) ? [answer] : [];
  const tally = createTally();
  const readers = (visitors ?? alone).map((visitor) => toReader(visitor, tally));
  const counted = sums.filter(({ views }) => views !== undefined);
  if (counted.length > 0) tally.clear();
  for (const { page, views = 0 } of counted) tally.set(page, views);
  for (const { page } of sums) tally.reach(page);
  const reached = tally.counts();
  return {
    figures: collectMetrics(totals),
    readers,
    pageCount: reached.length,
    reached,
    pictures: picturesIn(totals),
    documents: (listIn(answer, DOCUMENT_LISTS) ?? listIn(totals, DOCUMENT_LISTS) ?? []).map((document) => ({
      name: nameOf(document, 'document') ?? 'Document',
      views: measured(numberIn(document, METRIC_FIELDS.views) ?? 0),
    })),
    ...(typeof answer['partial'] === 'string' ? { partial: answer['partial'] } : {}),
  };
}

/** Pages beyond this are a slip of the service, and no curve. */
const MAX_PAGES = 10_000;

interface Tally {
  /** Counts a reader once for each page. @returns whether it is their first time on it. */
  add(page: number, reader: number): boolean;
  set(page: number, count: number): void;
  reach(page: number): void;
  clear(): void;
  counts(): number[];
}

/** How many opened each page. */
function createTally(): Tally {
  const counts: number[] = [];
  const lastReader: number[] = [];
  const reach = (page: number) => {
    for (let at = counts.length; at < Math.min(page, MAX_PAGES); at++) counts.push(0);
  };
  return {
    reach,
    add(page, reader) {
      if (lastReader[page] === reader || page > MAX_PAGES) return false;
      lastReader[page] = reader;
      reach(page);
      counts[page - 1] = (counts[page - 1] ?? 0) + 1;
      return true;
    },
    set(page, count) {
      reach(page);
      if (page <= counts.length) counts[page - 1] = count;
    },
    clear: () => void counts.fill(0),
    counts: () => counts,
  };
}

/** Figures that stand one level down. */
function figuresIn(answer: JsonObject): JsonObject {
  for (const name of METRIC_ENVELOPES) {
    const inner = getField(answer, name);
    if (isObject(inner)) return { ...answer, ...inner };
  }
  return answer;
}

/** Whether pages are summed over visits: then each counts its openings, or the whole counts its visitors. */
function isSum(answer: JsonObject, pages: readonly PageRead[]): boolean {
  return (
    pages.some(({ views }) => views !== undefined) ||
    numberIn(answer, METRIC_FIELDS.uniqueVisitors) !== undefined
  );
}

function listIn(item: JsonObject, names: readonly string[]): JsonObject[] | undefined {
  for (const name of names) {
    const list = getField(item, name);
    if (Array.isArray(list)) return list.filter(isObject);
  }
  return undefined;
}

let readerCount = 0;

function toReader(visitor: JsonObject, tally: Tally): Reader {
  const visits = Array.isArray(visitor['visits']) ? visitor['visits'].filter(isObject) : [];
  const parts = visits.length > 0 ? visits : [visitor];
  readerCount += 1;
  const own = readerCount;
  let [isKnown, pageTotal, read] = [false, 0, 0];
  for (const part of parts) {
    const isTold = eachPage(part, (page, seconds) => {
      read += seconds;
      if (tally.add(page, own)) pageTotal += 1;
    });
    isKnown ||= isTold;
  }
  const email = getTextField(visitor, RECORD_FIELDS.visitorEmail);
  const first = getTextField(visitor, [...METRIC_FIELDS.firstViewedAt, ...RECORD_FIELDS.viewedAt]);
  const last = getTextField(visitor, [...METRIC_FIELDS.lastViewedAt, ...METRIC_FIELDS.endedAt]);
  const counted =
    numberIn(visitor, METRIC_FIELDS.visitCount) ?? (visits.length > 0 ? visits.length : undefined);
  const visitId = getVisitId(visitor, visits);
  return {
    name: getTextField(visitor, [...RECORD_FIELDS.visitorName, 'name']) ?? email ?? 'Somebody without a name',
    seconds: numberIn(visitor, RECORD_FIELDS.durationSeconds) ?? read,
    ...(email === undefined ? {} : { email }),
    ...(counted === undefined ? {} : { visits: counted }),
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    ...(isKnown ? { pageTotal } : {}),
    pages: () => summed(parts),
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

function summed(visits: readonly JsonObject[]): Map<number, number> {
  const pages = new Map<number, number>();
  for (const visit of visits)
    eachPage(visit, (page, seconds) => pages.set(page, (pages.get(page) ?? 0) + seconds));
  return pages;
}

function collectMetrics(totals: JsonObject): Figure[] {
  const figures: Figure[] = [];
  const count = (label: string, names: readonly string[], kind: Figure['kind']) => {
    const value = numberIn(totals, names);
    if (value !== undefined) figures.push({ label, value, kind });
  };
  count('Views', METRIC_FIELDS.views, 'count');
  count('Visitors', METRIC_FIELDS.uniqueVisitors, 'count');
  count('Reading time', METRIC_FIELDS.totalSeconds, 'span');
  count('A visit', METRIC_FIELDS.averageSeconds, 'span');
  count('Read to the end', METRIC_FIELDS.completionRate, 'share');
  const first = getTextField(totals, METRIC_FIELDS.firstViewedAt);
  const last = getTextField(totals, METRIC_FIELDS.lastViewedAt);
  if (first !== undefined) figures.push({ label: 'First visit', value: first, kind: 'moment' });
  if (last !== undefined) figures.push({ label: 'Last visit', value: last, kind: 'moment' });
  return figures;
}
