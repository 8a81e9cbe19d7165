import { normalizeName } from '../../src/answer/fields.ts';
import { findItems } from '../../src/answer/find-list.ts';
import type { ParsedPage } from '../../src/answer/list.ts';
import {
  HAS_MORE_FIELDS,
  IS_LAST_FIELDS,
  OFFSET_FIELDS,
  PAGE_NUMBER_FIELDS,
  TOTAL_FIELDS,
} from '../../src/assumptions/index.ts';
import type { ListProfile } from '../../src/profile/format.ts';
import { findPath, type Path, valueAt } from '../form/paths.ts';
import type { Answer } from '../wire/session.ts';

interface Said {
  readonly answer: Answer;
  readonly read: ParsedPage;
}

/** Where the answer says what comes next: the field or header that holds the value which led there. */
export function findPlace({ answer, text, list }: { answer: Answer; text: string; list: ParsedPage }): {
  by?: 'cursor' | 'address';
  at?: Path;
  header?: string;
} {
  const raw = answer.json;
  const isAddress = (value: unknown) =>
    typeof value === 'string' && /[?&/=]/.test(value) && leadsTo(value, text) && /\?|\/pages?\//.test(value);
  const entries = findEntries(raw);
  const inside = (fits: (value: unknown, name: string) => boolean) =>
    findPath(raw, (value, name) => value !== entries && fits(value, name));
  if (list.paginationInfo.next.length > 0) {
    const address = inside((value) => isAddress(value));
    if (address) return { by: 'address', at: address };
    const relation = inside(
      (value) =>
        Array.isArray(value) &&
        value !== entries &&
        value.some((one) => isAddress((one as { href?: unknown } | null)?.href)),
    );
    if (relation) return { by: 'address', at: relation };
    const field = inside(
      (value) =>
        String(value) === text || (Array.isArray(value) && value.length > 0 && value.join(',') === text),
    );
    if (field) return { by: 'cursor', at: field };
    const header = Object.entries(answer.headers).find(
      ([name, value]) => name === 'link' || value === text || (/next/.test(name) && leadsTo(value, text)),
    );
    if (header) return { by: header[0] === 'link' ? 'address' : 'cursor', header: header[0] };
    return {};
  }
  const named = [...Object.keys(PAGE_NUMBER_FIELDS), ...Object.keys(OFFSET_FIELDS)].map(normalizeName);
  const at = inside((value, name) => named.includes(normalizeName(name)) && /^\d+$/.test(String(value)));
  const header = Object.keys(answer.headers).find((name) =>
    /^(?:x-)?(?:page|pagination|content-range|total)/.test(name),
  );
  return { ...(at ? { at } : {}), ...(header && !at ? { header } : {}) };
}

function leadsTo(address: string, text: string): boolean {
  if (address.includes(text)) return true;
  try {
    return decodeURIComponent(address).includes(text);
  } catch {
    return false;
  }
}

function findEntries(raw: unknown): unknown {
  return findItems(raw, '')?.list;
}

/** Where the answer says that more follows, and by which value. */
export function findMore({ answer, read }: Said): ListProfile['more'] | undefined {
  if (read.more !== true) return undefined;
  const named = [...HAS_MORE_FIELDS, ...IS_LAST_FIELDS].map(normalizeName);
  const at = findPath(
    answer.json,
    (value, name) => named.includes(normalizeName(name)) && /boolean|string|number/.test(typeof value),
  );
  if (!at) return undefined;
  // One of the three, by the search above.
  const means = valueAt(answer.json, at) as boolean | number | string;
  // Another word may be anybody's.
  return /^(?:true|false|yes|no|y|n|-?\d)$/i.test(`${means}`) ? { at: [...at], means } : undefined;
}

/** Where the answer counts all entries. */
export function findTotal({ answer, read }: Said, resource: string): Path | undefined {
  const { total } = read.page;
  if (total === undefined) return undefined;
  const named = [...TOTAL_FIELDS, 'count', `total_${resource}`, `${resource}_count`].map(normalizeName);
  return findPath(
    answer.json,
    (value, name) => named.includes(normalizeName(name)) && Number(value) === total,
  );
}
