import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isPageCursor, type PageCursor } from '../../src/pagination/page-cursor.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { isObject } from '../../src/records/fields.ts';
import { ToolError } from '../tool-error.ts';
import { type FilterCriteria, parseCriteria } from './list-filter.ts';

/** Position at which a list continues. */
export interface CursorPosition {
  readonly query: JsonObject;
  /** Items of the page that were already returned. */
  readonly skip: number;
  /** Undefined for the first page. */
  readonly from?: PageCursor | undefined;
  /** Set for a filtered list. */
  readonly filterState?: FilterState;
}

interface FilterState {
  readonly criteria: FilterCriteria;
  readonly by: FilteredBy;
  readonly read?: number;
}

/** The side that filters: the service, or this server by reading pages. */
export type FilteredBy = 'service' | 'server';

const MAX_DECODED_BYTES = 64 * 1024;

/** Preset dictionary of names that cursors have in common, which makes them a third shorter. */
const dictionary = Buffer.from(
  '","after-id","link","offset","page","first":[{},0,{"steps":[{"by":"cursor","query":{"cursor":"}}],"explicit":true,"trial":true,"fingerprint":"","similarity":[""],"overlapIds":[""],"read":,"total":}]',
);

/** Encodes a position as a short opaque string, whatever paging scheme the service uses. */
export function encodeCursor({ query, skip, from, filterState }: CursorPosition): string {
  const optionalParts = filterState ? [from ?? null, filterState] : from === undefined ? [] : [from];
  const parts = [query, skip, ...optionalParts];
  return deflateRawSync(JSON.stringify(parts), { dictionary }).toString('base64url');
}

/** @throws ToolError for a string that `encodeCursor` did not create. */
export function decodeCursor(cursor: string): CursorPosition {
  try {
    const text = inflateRawSync(Buffer.from(cursor, 'base64url'), { dictionary, maxOutputLength: MAX_DECODED_BYTES });
    const decoded: unknown = JSON.parse(text.toString('utf8'));
    const [query, skip, next, filterState] = Array.isArray(decoded) ? decoded : [];
    const from = next ?? undefined;
    if (
      isObject(query) &&
      Number.isInteger(skip) &&
      skip >= 0 &&
      (from === undefined || isPageCursor(from)) &&
      (filterState === undefined || isFilterState(filterState))
    )
      return { query, skip, ...(from === undefined ? {} : { from }), ...(filterState ? { filterState } : {}) };
  } catch {
    // Falls through to the error below.
  }
  throw new ToolError(
    'invalid_arguments',
    'cursor: invalid, or from an earlier version. Pass next_cursor of the previous result unchanged, or leave it out to get the first page.',
  );
}

function isFilterState(value: unknown): value is FilterState {
  if (!isObject(value)) return false;
  const { criteria, by, read } = value;
  const known = isObject(criteria) ? parseCriteria(criteria) : undefined;
  return (
    known !== undefined &&
    isDeepStrictEqual(criteria, known) &&
    (by === 'service' || by === 'server') &&
    (read === undefined || Number.isSafeInteger(read))
  );
}
