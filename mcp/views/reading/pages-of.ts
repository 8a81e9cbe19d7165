import { fieldOf, isObject, type JsonObject, readPath } from '../../../src/answer/fields.ts';
import { FIGURE_FIELDS, PAGE_FIELDS, PAGE_LISTS } from '../../../src/assumptions/reports.ts';

/** One page as somebody, or everybody, read it. */
export interface PageRead {
  readonly page: number;
  readonly seconds: number;
  /** Openings, where the answer counts them. */
  readonly views?: number;
}

/** The pages that a visit, or a sum of visits, tells of; undefined where it tells of none. */
export function pagesOf(item: unknown): PageRead[] | undefined {
  if (!isObject(item)) return undefined;
  for (const name of PAGE_LISTS) {
    const list = fieldOf(item, name);
    if (Array.isArray(list)) return readList(list);
    // `{"1": 12, "2": 40}`: seconds by the page's number.
    if (isObject(list)) return readMap(list);
  }
  return undefined;
}

/** Thousands of visits have the same few names: each is looked up once, and read directly after that. */
let known: { readonly number: string; readonly seconds: string } | undefined;

function readList(list: readonly unknown[]): PageRead[] {
  return list.flatMap((entry, index): PageRead[] => {
    if (typeof entry === 'number') return [{ page: index + 1, seconds: entry }];
    if (!isObject(entry)) return [];
    if (known) {
      const [page, seconds] = [entry[known.number], entry[known.seconds]];
      if (typeof page === 'number' && typeof seconds === 'number')
        return [withViews({ page, seconds }, entry)];
    }
    return readEntry(entry, index);
  });
}

function readEntry(entry: JsonObject, index: number): PageRead[] {
  const [number, seconds] = [nameIn(entry, PAGE_FIELDS.number), nameIn(entry, PAGE_FIELDS.seconds)];
  if (number !== undefined && seconds !== undefined) known = { number, seconds };
  const page = numberIn(entry, PAGE_FIELDS.number) ?? index + 1;
  const read = numberIn(entry, PAGE_FIELDS.seconds);
  const milliseconds = numberIn(entry, PAGE_FIELDS.milliseconds);
  return [withViews({ page, seconds: read ?? (milliseconds ?? 0) / 1000 }, entry)];
}

function readMap(map: JsonObject): PageRead[] {
  return Object.entries(map).flatMap(([name, value]) => {
    const page = Number(name);
    const seconds = isObject(value) ? numberIn(value, PAGE_FIELDS.seconds) : Number(value);
    return Number.isInteger(page) && seconds !== undefined && Number.isFinite(seconds)
      ? [{ page, seconds }]
      : [];
  });
}

function withViews(read: PageRead, entry: JsonObject): PageRead {
  for (const name of FIGURE_FIELDS.views) {
    const views = entry[name];
    if (typeof views === 'number') return { ...read, views };
  }
  return read;
}

function nameIn(entry: JsonObject, names: readonly string[]): string | undefined {
  return names.find((name) => typeof entry[name] === 'number');
}

/** The first figure under any of the names; a text of digits counts. */
export function numberIn(item: unknown, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = readPath(item, name);
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
  }
  return undefined;
}
