import { METRIC_FIELDS, PAGE_FIELDS, PAGE_LISTS } from '../../../src/assumptions/report-metrics.ts';
import { getField, getTextField, getValueAtPath, isObject, type JsonObject } from '../../../src/records/fields.ts';

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

type OnPage = (page: number, seconds: number, views: number | undefined) => void;

/**
 * Calls `onPage` for each page of a visit or of totals. Allocates no objects, since results hold hundreds of thousands.
 * @returns false if there are no pages
 */
export function forEachPage(item: unknown, onPage: OnPage): boolean {
  if (!isObject(item)) return false;
  const onRawPage: OnPage = (page, seconds, views) => {
    if (page >= 1) onPage(Math.floor(page), clampValue(seconds), views && clampValue(views));
  };
  for (const name of PAGE_LISTS) {
    const list = getField(item, name);
    if (Array.isArray(list)) {
      for (let at = 0; at < list.length; at++) readEntry(list[at], at, onRawPage);
      return true;
    }
    // `{"1": 12, "2": 40}`: seconds by the page's number.
    if (isObject(list)) {
      readMap(list, onRawPage);
      return true;
    }
  }
  return false;
}

/** Returns undefined if there are no pages. */
export function collectPageReads(item: unknown): PageRead[] | undefined {
  const pages: PageRead[] = [];
  const hasPages = forEachPage(item, (page, seconds, views) => {
    pages.push(views === undefined ? { page, seconds } : { page, seconds, views });
  });
  return hasPages ? pages : undefined;
}

const IMAGE_DATA_URL = /^data:image\/(png|jpeg|webp|gif);base64,[\w+/=]+$/;

/** Page images inside the result; a view may not load any. */
export function findPageImages(item: JsonObject): Map<number, string> {
  const images = new Map<number, string>();
  for (const name of PAGE_LISTS) {
    const list = getField(item, name);
    if (!Array.isArray(list)) continue;
    for (const [at, entry] of list.entries()) {
      const image = getTextField(entry, PAGE_FIELDS.imageUrl);
      if (image !== undefined && IMAGE_DATA_URL.test(image))
        images.set(findNumber(entry, PAGE_FIELDS.number) ?? at + 1, image);
    }
  }
  return images;
}

/** Field names of the last page, tried first: thousands of visits use the same names. */
let cachedNames: { readonly number: string; readonly seconds: string } | undefined;

function readEntry(entry: unknown, index: number, onPage: OnPage): void {
  if (typeof entry === 'number') onPage(index + 1, entry, undefined);
  else if (isObject(entry)) readObject(entry, index, onPage);
}

function readObject(entry: JsonObject, index: number, onPage: OnPage): void {
  const page = cachedNames && entry[cachedNames.number];
  const seconds = cachedNames && entry[cachedNames.seconds];
  if (typeof page === 'number' && typeof seconds === 'number') {
    onPage(page, seconds, getViews(entry));
    return;
  }
  const number = findName(entry, PAGE_FIELDS.number);
  const time = findName(entry, PAGE_FIELDS.seconds);
  if (number !== undefined && time !== undefined) cachedNames = { number, seconds: time };
  const milliseconds = findNumber(entry, PAGE_FIELDS.milliseconds) ?? 0;
  onPage(
    findNumber(entry, PAGE_FIELDS.number) ?? index + 1,
    findNumber(entry, PAGE_FIELDS.seconds) ?? milliseconds / 1000,
    getViews(entry),
  );
}

function readMap(map: JsonObject, onPage: OnPage): void {
  for (const [name, value] of Object.entries(map)) {
    const page = Number(name);
    const seconds = isObject(value) ? findNumber(value, PAGE_FIELDS.seconds) : Number(value);
    if (Number.isInteger(page) && seconds !== undefined && Number.isFinite(seconds)) onPage(page, seconds, undefined);
  }
}

function getViews(entry: JsonObject): number | undefined {
  for (const name of METRIC_FIELDS.views) {
    const views = entry[name];
    if (typeof views === 'number') return views;
  }
  return undefined;
}

function findName(entry: JsonObject, names: readonly string[]): string | undefined {
  return names.find((name) => typeof entry[name] === 'number');
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
