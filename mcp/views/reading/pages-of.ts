import {
  getField,
  getTextField,
  getValueAtPath,
  isObject,
  type JsonObject,
} from '../../../src/answer/fields.ts';
import { METRIC_FIELDS, PAGE_FIELDS, PAGE_LISTS } from '../../../src/assumptions/reports.ts';

/** One page as somebody, or everybody, read it. */
export interface PageRead {
  readonly page: number;
  readonly seconds: number;
  /** Openings, where the answer counts them. */
  readonly views?: number;
}

/** Figures beyond this are a slip of the service: sums of them would end in what no bar can show. */
const MAX_VALUE = 1e12;

/** A figure that can be summed and drawn. */
export function measured(value: number): number {
  return value > 0 ? Math.min(value, MAX_VALUE) : 0;
}

type TakePage = (page: number, seconds: number, views: number | undefined) => void;

/**
 * Hands on each page that a visit, or a sum of visits, tells of. No object is made for one: answers hold hundreds of
 * thousands.
 * @returns false where it tells of none.
 */
export function eachPage(item: unknown, takeSound: TakePage): boolean {
  if (!isObject(item)) return false;
  const take: TakePage = (page, seconds, views) => {
    if (page >= 1) takeSound(Math.floor(page), measured(seconds), views && measured(views));
  };
  for (const name of PAGE_LISTS) {
    const list = getField(item, name);
    if (Array.isArray(list)) {
      for (let at = 0; at < list.length; at++) takeEntry(list[at], at, take);
      return true;
    }
    // `{"1": 12, "2": 40}`: seconds by the page's number.
    if (isObject(list)) {
      takeMap(list, take);
      return true;
    }
  }
  return false;
}

/** The same as a list; undefined where it tells of none. */
export function collectPageReads(item: unknown): PageRead[] | undefined {
  const pages: PageRead[] = [];
  const isTold = eachPage(item, (page, seconds, views) => {
    pages.push(views === undefined ? { page, seconds } : { page, seconds, views });
  });
  return isTold ? pages : undefined;
}

const PICTURE = /^data:image\/(png|jpeg|webp|gif);base64,[\w+/=]+$/;

/** The pictures of pages that stand in the answer itself. */
export function picturesIn(item: JsonObject): Map<number, string> {
  const pictures = new Map<number, string>();
  for (const name of PAGE_LISTS) {
    const list = getField(item, name);
    if (!Array.isArray(list)) continue;
    for (const [at, entry] of list.entries()) {
      const picture = getTextField(entry, PAGE_FIELDS.imageUrl);
      if (picture !== undefined && PICTURE.test(picture))
        pictures.set(numberIn(entry, PAGE_FIELDS.number) ?? at + 1, picture);
    }
  }
  return pictures;
}

/** Thousands of visits have the same few names: each is looked up once, and read directly after that. */
let known: { readonly number: string; readonly seconds: string } | undefined;

function takeEntry(entry: unknown, index: number, take: TakePage): void {
  if (typeof entry === 'number') take(index + 1, entry, undefined);
  else if (isObject(entry)) takeObject(entry, index, take);
}

function takeObject(entry: JsonObject, index: number, take: TakePage): void {
  const page = known && entry[known.number];
  const seconds = known && entry[known.seconds];
  if (typeof page === 'number' && typeof seconds === 'number') {
    take(page, seconds, viewsIn(entry));
    return;
  }
  const number = nameIn(entry, PAGE_FIELDS.number);
  const time = nameIn(entry, PAGE_FIELDS.seconds);
  if (number !== undefined && time !== undefined) known = { number, seconds: time };
  const milliseconds = numberIn(entry, PAGE_FIELDS.milliseconds) ?? 0;
  take(
    numberIn(entry, PAGE_FIELDS.number) ?? index + 1,
    numberIn(entry, PAGE_FIELDS.seconds) ?? milliseconds / 1000,
    viewsIn(entry),
  );
}

function takeMap(map: JsonObject, take: TakePage): void {
  for (const [name, value] of Object.entries(map)) {
    const page = Number(name);
    const seconds = isObject(value) ? numberIn(value, PAGE_FIELDS.seconds) : Number(value);
    if (Number.isInteger(page) && seconds !== undefined && Number.isFinite(seconds))
      take(page, seconds, undefined);
  }
}

function viewsIn(entry: JsonObject): number | undefined {
  for (const name of METRIC_FIELDS.views) {
    const views = entry[name];
    if (typeof views === 'number') return views;
  }
  return undefined;
}

function nameIn(entry: JsonObject, names: readonly string[]): string | undefined {
  return names.find((name) => typeof entry[name] === 'number');
}

/** The first figure under any of the names; a text of digits counts. */
export function numberIn(item: unknown, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = getValueAtPath(item, name);
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
  }
  return undefined;
}
