import * as assumed from '../../src/assumptions/index.ts';
import { findItems } from '../../src/pagination/find-items.ts';
import { type NextQuery, PATH_KEY } from '../../src/pagination/next-url.ts';
import type { ParsedPage } from '../../src/pagination/page.ts';
import { getValueAt } from '../../src/profile/check-schema.ts';
import type { ListProfile } from '../../src/profile/service-profile.ts';
import { includesName, isObject } from '../../src/records/fields.ts';
import { findJsonPath, findNamedPath, type JsonPath } from './json-path.ts';
import type { RecordedResponse } from './session.ts';

interface ListResponse {
  readonly response: RecordedResponse;
  readonly parsedPage: ParsedPage;
}

interface CursorLocation {
  readonly by?: 'cursor' | 'url';
  readonly at?: JsonPath;
  readonly header?: string;
}

/** Finds the field or header that names the next page: the one with the query that returned it. */
export function findCursorLocation({ response, parsedPage }: ListResponse, query: NextQuery): CursorLocation {
  const raw = response.json;
  const cursorText = String(Object.values(query)[0] ?? '');
  const isNextUrl = (value: unknown) => typeof value === 'string' && hasQuery(value, query);
  const entries = findItems(raw, '')?.items;
  const findInResponse = (matches: (value: unknown, name: string) => boolean) =>
    findJsonPath(raw, (value, name) => value !== entries && matches(value, name));
  if (parsedPage.signs.next.length > 0) {
    // The URLs of the next and the last page may be equal.
    const url = findNextAddress(raw, isNextUrl) ?? findInResponse((value) => isNextUrl(value));
    if (url) return { by: 'url', at: url };
    const relation = findInResponse(
      (value) =>
        Array.isArray(value) &&
        value !== entries &&
        value.some((one) => isNextUrl((one as { href?: unknown } | null)?.href)),
    );
    if (relation) return { by: 'url', at: relation };
    const field = findInResponse(
      (value) =>
        String(value) === cursorText || (Array.isArray(value) && value.length > 0 && value.join(',') === cursorText),
    );
    if (field) return { by: 'cursor', at: field };
    const header = Object.entries(response.headers).find(
      ([name, value]) => name === 'link' || value === cursorText || (/next/.test(name) && hasQuery(value, query)),
    );
    if (header) return { by: header[0] === 'link' ? 'url' : 'cursor', header: header[0] };
    return {};
  }
  const numberFields = [...Object.keys(assumed.PAGE_NUMBER_FIELDS), ...assumed.OFFSET_FIELDS];
  const at = findInResponse((value, name) => includesName(numberFields, name) && /^\d+$/.test(String(value)));
  const header = Object.keys(response.headers).find((name) =>
    /^(?:x-)?(?:page|pagination|content-range|total)/.test(name),
  );
  return { ...(at ? { at } : {}), ...(header && !at ? { header } : {}) };
}

/** Returns whether a URL has exactly these query values. */
function hasQuery(address: string, query: NextQuery): boolean {
  const url = URL.parse(address.trim().replaceAll('&amp;', '&'), 'https://list.invalid');
  return (
    url !== null &&
    Object.entries(query).every(([name, value]) =>
      name === PATH_KEY
        ? url.pathname.replace(/\/$/, '').endsWith(`/${value}`)
        : url.searchParams.getAll(name).join() === String(value),
    )
  );
}

/** Finds `next`, `next_url`, or `next: {href}`. */
function findNextAddress(raw: unknown, isNextUrl: (value: unknown) => boolean): JsonPath | undefined {
  const link = findJsonPath(
    raw,
    (value, name) =>
      /next/i.test(name) && (isNextUrl(value) || (isObject(value) && Object.values(value).some(isNextUrl))),
  );
  if (!link) return undefined;
  const value = getValueAt(raw, link);
  const inner = isObject(value) ? Object.keys(value).find((name) => isNextUrl(value[name])) : undefined;
  return inner === undefined ? link : [...link, inner];
}

/** Finds the field that says there are more pages, and its value. */
export function findHasMoreField({ response, parsedPage }: ListResponse): ListProfile['more'] | undefined {
  if (parsedPage.signs.more !== true) return undefined;
  const isScalar = (value: unknown) => /boolean|string|number/.test(typeof value);
  const at = findNamedPath(response.json, [...assumed.HAS_MORE_FIELDS, ...assumed.IS_LAST_FIELDS], isScalar);
  if (!at) return undefined;
  const means = getValueAt(response.json, at) as boolean | number | string;
  // Any other text may be a value of the account.
  return /^(?:true|false|yes|no|y|n|-?\d)$/i.test(`${means}`) ? { at: [...at], means } : undefined;
}

/** Finds the field that holds the total number of items. */
export function findTotalField({ response, parsedPage }: ListResponse, resource: string): JsonPath | undefined {
  const { total } = parsedPage.page;
  if (total === undefined) return undefined;
  const names = [...assumed.TOTAL_FIELDS, 'count', `total_${resource}`, `${resource}_count`];
  return findNamedPath(response.json, names, (value) => Number(value) === total);
}
