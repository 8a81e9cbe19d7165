import {
  HAS_MORE_FIELDS,
  IS_LAST_FIELDS,
  OFFSET_FIELDS,
  PAGE_NUMBER_FIELDS,
  TOTAL_FIELDS,
} from '../../src/assumptions/index.ts';
import { findItems } from '../../src/pagination/find-items.ts';
import type { ParsedPage } from '../../src/pagination/page.ts';
import type { ListProfile } from '../../src/profile/service-profile.ts';
import { normalizeName } from '../../src/records/fields.ts';
import { findJsonPath, getValueAt, type JsonPath } from './json-path.ts';
import type { RecordedResponse } from './session.ts';

interface ListResponse {
  readonly response: RecordedResponse;
  readonly parsedPage: ParsedPage;
}

/** Where the answer says what comes next: the field or header that holds the value which led there. */
export function findCursorLocation({
  response,
  cursorText,
  list,
}: {
  response: RecordedResponse;
  cursorText: string;
  list: ParsedPage;
}): {
  by?: 'cursor' | 'address';
  at?: JsonPath;
  header?: string;
} {
  const raw = response.json;
  const isNextUrl = (value: unknown) =>
    typeof value === 'string' &&
    /[?&/=]/.test(value) &&
    containsText(value, cursorText) &&
    /\?|\/pages?\//.test(value);
  const entries = getEntries(raw);
  const findInResponse = (matches: (value: unknown, name: string) => boolean) =>
    findJsonPath(raw, (value, name) => value !== entries && matches(value, name));
  if (list.paginationInfo.next.length > 0) {
    const url = findInResponse((value) => isNextUrl(value));
    if (url) return { by: 'address', at: url };
    const relation = findInResponse(
      (value) =>
        Array.isArray(value) &&
        value !== entries &&
        value.some((one) => isNextUrl((one as { href?: unknown } | null)?.href)),
    );
    if (relation) return { by: 'address', at: relation };
    const field = findInResponse(
      (value) =>
        String(value) === cursorText ||
        (Array.isArray(value) && value.length > 0 && value.join(',') === cursorText),
    );
    if (field) return { by: 'cursor', at: field };
    const header = Object.entries(response.headers).find(
      ([name, value]) =>
        name === 'link' || value === cursorText || (/next/.test(name) && containsText(value, cursorText)),
    );
    if (header) return { by: header[0] === 'link' ? 'address' : 'cursor', header: header[0] };
    return {};
  }
  const fieldNames = [...Object.keys(PAGE_NUMBER_FIELDS), ...Object.keys(OFFSET_FIELDS)].map(normalizeName);
  const at = findInResponse(
    (value, name) => fieldNames.includes(normalizeName(name)) && /^\d+$/.test(String(value)),
  );
  const header = Object.keys(response.headers).find((name) =>
    /^(?:x-)?(?:page|pagination|content-range|total)/.test(name),
  );
  return { ...(at ? { at } : {}), ...(header && !at ? { header } : {}) };
}

function containsText(url: string, searched: string): boolean {
  if (url.includes(searched)) return true;
  try {
    return decodeURIComponent(url).includes(searched);
  } catch {
    return false;
  }
}

function getEntries(raw: unknown): unknown {
  return findItems(raw, '')?.list;
}

/** Where the answer says that more follows, and by which value. */
export function findHasMoreField({ response, parsedPage }: ListResponse): ListProfile['more'] | undefined {
  if (parsedPage.more !== true) return undefined;
  const fieldNames = [...HAS_MORE_FIELDS, ...IS_LAST_FIELDS].map(normalizeName);
  const at = findJsonPath(
    response.json,
    (value, name) => fieldNames.includes(normalizeName(name)) && /boolean|string|number/.test(typeof value),
  );
  if (!at) return undefined;
  // One of the three, by the search above.
  const means = getValueAt(response.json, at) as boolean | number | string;
  // Another word may be anybody's.
  return /^(?:true|false|yes|no|y|n|-?\d)$/i.test(`${means}`) ? { at: [...at], means } : undefined;
}

/** Where the answer counts all entries. */
export function findTotalField(
  { response, parsedPage }: ListResponse,
  resource: string,
): JsonPath | undefined {
  const { total } = parsedPage.page;
  if (total === undefined) return undefined;
  const fieldNames = [...TOTAL_FIELDS, 'count', `total_${resource}`, `${resource}_count`].map(normalizeName);
  return findJsonPath(
    response.json,
    (value, name) => fieldNames.includes(normalizeName(name)) && Number(value) === total,
  );
}
