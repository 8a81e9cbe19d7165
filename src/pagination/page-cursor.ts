import { z } from 'zod';
import type { Step, StepKind } from './signs.ts';

/**
 * Position of the next page, as JSON. Passed as `cursor` to the same call, also later or in another process, it
 * continues the list with the same guards.
 */
export interface PageCursor {
  /** Requests that may return the next page, most likely first. */
  readonly steps: readonly Step[];
  /** True if the service said that more follows; if not, only a request can tell. */
  readonly explicit: boolean;
  /** No step of this list has led to another page yet. */
  readonly trial?: true;
  /** Fingerprint of the page: a service that ignores the request returns it again. */
  readonly fingerprint: string;
  /** Fingerprints that recognize the first page even if it is sorted, signed or shifted differently. */
  readonly partialFingerprints?: readonly string[];
  /** Short hashes of the ids of its last entries: if the list grows meanwhile, the next page repeats them. */
  readonly overlapIds?: readonly string[];
  /** Entries read so far; undefined if the list was not read from its beginning. */
  readonly read?: number;
  /** The lowest total that the service has declared. */
  readonly total?: number;
}

const Texts = z.array(z.string());

const PageCursorForm = z.object({
  steps: z.array(
    z.object({
      by: z.enum(['link', 'cursor', 'page', 'offset', 'after-id'] satisfies StepKind[]),
      query: z.record(z.string(), z.union([z.string(), Texts])),
      first: z.int().optional(),
      probe: z.literal(true).optional(),
    }),
  ),
  explicit: z.boolean(),
  fingerprint: z.string(),
  partialFingerprints: Texts.optional(),
  overlapIds: Texts.optional(),
  read: z.int().optional(),
  total: z.int().optional(),
});

/** Returns true for a value in the form of a {@link PageCursor}: it may come from outside. */
export function isPageCursor(value: unknown): value is PageCursor {
  return PageCursorForm.safeParse(value).success;
}
