import { METRIC_FIELDS, PAGE_FIELDS, PAGE_LISTS } from '../../../src/assumptions/report-metrics.ts';
import { getField, getValueAtPath, isObject, type JsonObject } from '../../../src/records/fields.ts';

/** Time spent on one page by one or all visitors. */
export interface PageRead {
  readonly page: number;
  readonly seconds: number;
  /** Set if the result counts them. */
  readonly views?: number;
}

/** Larger values are errors of the service, and their sums could not be drawn. */
const MAX_VALUE = 1e12;

export function clampValue(value: number): number {
  return value > 0 ? Math.min(value, MAX_VALUE) : 0;
}

/** Pages of a visit or of totals; undefined if there are none. */
export function collectPageReads(item: unknown): PageRead[] | undefined {
  if (!isObject(item)) return undefined;
  const list = PAGE_LISTS.map((name) => getField(item, name)).find((value) => Array.isArray(value) || isObject(value));
  if (list === undefined) return undefined;
  const reads = Array.isArray(list) ? list.flatMap(readEntry) : Object.entries(list as JsonObject).flatMap(readMember);
  return reads
    .filter(({ page }) => page >= 1)
    .map(({ page, seconds, views }) => ({
      page: Math.floor(page),
      seconds: clampValue(seconds),
      ...(views === undefined ? {} : { views: clampValue(views) }),
    }));
}

function readEntry(entry: unknown, index: number): PageRead | [] {
  if (typeof entry === 'number') return { page: index + 1, seconds: entry };
  if (!isObject(entry)) return [];
  const views = METRIC_FIELDS.views.map((name) => entry[name]).find((value) => typeof value === 'number');
  return {
    page: findNumber(entry, PAGE_FIELDS.number) ?? index + 1,
    seconds: findNumber(entry, PAGE_FIELDS.seconds) ?? (findNumber(entry, PAGE_FIELDS.milliseconds) ?? 0) / 1000,
    ...(views === undefined ? {} : { views }),
  };
}

/** One member of `{"1": 12, "2": 40}`: seconds by the page's number. */
function readMember([name, value]: [string, unknown]): PageRead | [] {
  const page = Number(name);
  const seconds = isObject(value) ? findNumber(value, PAGE_FIELDS.seconds) : Number(value);
  return Number.isInteger(page) && seconds !== undefined && Number.isFinite(seconds) ? { page, seconds } : [];
}

/** First number under any of the names, also as a numeric string. */
export function findNumber(item: unknown, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = getValueAtPath(item, name);
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
  }
  return undefined;
}
