import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { JsonObject } from '../../src/answer/fields.ts';
import { isObject } from '../../src/answer/fields.ts';
import { isPageCursor, type PageCursor } from '../../src/answer/onward.ts';
import { ToolError } from '../tool-error.ts';

/** Where a list goes on: its own query, what leads to the page, and how many of the page's items were already given. */
export interface Place {
  readonly query: JsonObject;
  readonly skip: number;
  /** The way to the page behind the first, as the core gave it. */
  readonly from?: PageCursor | undefined;
  /** What the list is narrowed to, and how far it was read. */
  readonly filtered?: Filtered;
}

interface Filtered {
  readonly wanted: { readonly match?: string; readonly since?: string; readonly until?: string };
  readonly by: 'service' | 'reading';
  readonly read?: number;
}

const MAX_DECODED_BYTES = 64 * 1024;

/** An opaque text that carries a place, short: whatever the service pages by, the model sees one kind of cursor. */
export function encodeCursor({ query, skip, from, filtered }: Place): string {
  const rest = filtered ? [from ?? null, filtered] : from === undefined ? [] : [from];
  const parts = [query, skip, ...rest];
  return deflateRawSync(JSON.stringify(parts)).toString('base64url');
}

/** @throws ToolError for a text that `encodeCursor` did not write. */
export function decodeCursor(cursor: string): Place {
  try {
    const text = inflateRawSync(Buffer.from(cursor, 'base64url'), { maxOutputLength: MAX_DECODED_BYTES });
    const decoded: unknown = JSON.parse(text.toString('utf8'));
    const [query, skip, way, filtered] = Array.isArray(decoded) ? decoded : [];
    const from = way ?? undefined;
    if (
      isObject(query) &&
      Number.isInteger(skip) &&
      skip >= 0 &&
      (from === undefined || isPageCursor(from)) &&
      (filtered === undefined || isFiltered(filtered))
    )
      return { query, skip, ...(from === undefined ? {} : { from }), ...(filtered ? { filtered } : {}) };
  } catch {
    // Falls through to the one refusal.
  }
  throw new ToolError(
    'invalid_arguments',
    'cursor: not one of this server. Pass next_cursor of the last answer as it is, or leave it out for the first page.',
  );
}

function isFiltered(value: unknown): value is Filtered {
  if (!isObject(value)) return false;
  const { wanted, by, read } = value;
  return (
    isObject(wanted) &&
    Object.keys(wanted).length > 0 &&
    Object.entries(wanted).every(([name, one]) => NARROWING.includes(name) && typeof one === 'string') &&
    (by === 'service' || by === 'reading') &&
    (read === undefined || Number.isSafeInteger(read))
  );
}

const NARROWING: readonly string[] = ['match', 'since', 'until'];
