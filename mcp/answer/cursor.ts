import type { JsonObject } from '../../src/answer/fields.ts';
import { isObject } from '../../src/answer/fields.ts';
import { ToolError } from '../tool-error.ts';

/** Where a list goes on: the query of its next request, and how many of its items were already given. */
export interface Place {
  readonly query: JsonObject;
  readonly skip: number;
  /** Print of the page before: a service that ignores its own cursor gives that page again, for ever. */
  readonly before?: string;
}

/** An opaque text that carries a place: whatever the service pages by, the model sees one kind of cursor. */
export function encodeCursor(place: Place): string {
  const { query, skip, before } = place;
  const parts = before === undefined ? (skip === 0 ? [query] : [query, skip]) : [query, skip, before];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws ToolError for a text that `encodeCursor` did not write. */
export function decodeCursor(cursor: string): Place {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const [query, skip = 0, before] = Array.isArray(decoded) ? decoded : [];
    if (isObject(query) && Number.isInteger(skip) && skip >= 0)
      return { query, skip, ...(typeof before === 'string' ? { before } : {}) };
  } catch {
    // Falls through to the one refusal.
  }
  throw new ToolError(
    'invalid_arguments',
    'cursor: not one of this server. Pass next_cursor of the last answer as it is, or leave it out for the first page.',
  );
}
