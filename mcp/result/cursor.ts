import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isPageCursor, type PageCursor } from '../../src/pagination/page-cursor.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { isObject } from '../../src/records/fields.ts';
import { ToolError } from '../tool-error.ts';

/** Where a list goes on: its own query, what leads to the page, and how many of the page's items were already given. */
export interface CursorPosition {
  readonly query: JsonObject;
  readonly skip: number;
  /** Cursor of the page before, as the core gave it. */
  readonly from?: PageCursor | undefined;
  /** What the list is narrowed to, and how far it was read. */
  readonly filterState?: FilterState;
}

interface FilterState {
  readonly criteria: { readonly match?: string; readonly since?: string; readonly until?: string };
  readonly by: 'service' | 'reading';
  readonly read?: number;
}

const MAX_DECODED_BYTES = 64 * 1024;

/** Names that cursors have in common: with them, the model repeats a third less. */
const dictionary = Buffer.from(
  '","after-id","link","offset","page","first":[{},0,{"steps":[{"by":"cursor","query":{"cursor":"}}],"explicit":true,"trial":true,"fingerprint":"","similarity":[""],"overlapIds":[""],"read":,"total":}]',
);

/** An opaque text that carries a place, short: whatever the service pages by, the model sees one kind of cursor. */
export function encodeCursor({ query, skip, from, filterState }: CursorPosition): string {
  const optionalParts = filterState ? [from ?? null, filterState] : from === undefined ? [] : [from];
  const parts = [query, skip, ...optionalParts];
  return deflateRawSync(JSON.stringify(parts), { dictionary }).toString('base64url');
}

/** @throws ToolError for a text that `encodeCursor` did not write. */
export function decodeCursor(cursor: string): CursorPosition {
  try {
    const text = inflateRawSync(Buffer.from(cursor, 'base64url'), {
      dictionary,
      maxOutputLength: MAX_DECODED_BYTES,
    });
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
      return {
        query,
        skip,
        ...(from === undefined ? {} : { from }),
        ...(filterState ? { filterState } : {}),
      };
  } catch {
    // Falls through to the one refusal.
  }
  throw new ToolError(
    'invalid_arguments',
    'cursor: not one of this server, or one of an earlier version. Pass next_cursor of the last answer as it is, or leave it out for the first page.',
  );
}

function isFilterState(value: unknown): value is FilterState {
  if (!isObject(value)) return false;
  const { criteria, by, read } = value;
  return (
    isObject(criteria) &&
    Object.keys(criteria).length > 0 &&
    Object.entries(criteria).every(
      ([name, criterion]) => CRITERIA_NAMES.includes(name) && typeof criterion === 'string',
    ) &&
    (by === 'service' || by === 'reading') &&
    (read === undefined || Number.isSafeInteger(read))
  );
}

const CRITERIA_NAMES: readonly string[] = ['match', 'since', 'until'];
