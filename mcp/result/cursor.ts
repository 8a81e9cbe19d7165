import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { isPageCursor, type PageCursor } from '../../src/pagination/page-cursor.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { ToolError } from '../tool-error.ts';

/** Position at which a list continues. */
export interface CursorPosition {
  readonly query: JsonObject;
  /** Items of the page that were already returned. */
  readonly skip: number;
  /** Undefined for the first page. */
  readonly from?: PageCursor | undefined;
  /** Set for a filtered list. */
  readonly filterState?: z.output<typeof FilterState> | undefined;
}

const FilterState = z.strictObject({
  criteria: z
    .strictObject({ match: z.string(), since: z.string(), until: z.string() })
    .partial()
    .refine((criteria) => Object.keys(criteria).length > 0),
  /** The side that filters: the service, or this server by reading pages. */
  by: z.enum(['service', 'server']),
  read: z.int().optional(),
  returned: z.array(z.string()).optional(),
});

export type FilteredBy = z.output<typeof FilterState>['by'];

const Parts = z.tuple([
  z.record(z.string(), z.unknown()),
  z.int().nonnegative(),
  z.custom<PageCursor>(isPageCursor).nullish(),
  FilterState.optional(),
]);

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
    const [query, skip, from, filterState] = Parts.parse(JSON.parse(text.toString('utf8')));
    return { query, skip, ...(from ? { from } : {}), ...(filterState ? { filterState } : {}) };
  } catch {
    throw new ToolError(
      'invalid_arguments',
      'cursor: invalid, or from an earlier version. Pass next_cursor of the previous result unchanged, or leave it out to get the first page.',
    );
  }
}
