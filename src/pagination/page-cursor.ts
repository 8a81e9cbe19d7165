import { isObject } from '../records/fields.ts';
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
  readonly similarity?: readonly string[];
  /** Short hashes of the ids of its last entries: if the list grows meanwhile, the next page repeats them. */
  readonly overlapIds?: readonly string[];
  /** Entries read so far; undefined if the list was not read from its beginning. */
  readonly read?: number;
  /** The lowest total that the service has declared. */
  readonly total?: number;
}

const STEP_KINDS: readonly StepKind[] = ['link', 'cursor', 'page', 'offset', 'after-id'];

/** Returns whether a value has the form of a {@link PageCursor}: it may come from outside. */
export function isPageCursor(value: unknown): value is PageCursor {
  if (!isObject(value)) return false;
  const { steps, explicit, fingerprint, similarity = [], overlapIds = [], read, total } = value;
  return (
    Array.isArray(steps) &&
    steps.every(isStep) &&
    typeof explicit === 'boolean' &&
    typeof fingerprint === 'string' &&
    [similarity, overlapIds].every(isTexts) &&
    [read, total].every((number) => number === undefined || Number.isSafeInteger(number))
  );
}

function isStep(value: unknown): value is Step {
  if (!isObject(value)) return false;
  const { by, query, first } = value;
  return (
    STEP_KINDS.some((kind) => kind === by) &&
    isObject(query) &&
    Object.values(query).every((one) => typeof one === 'string' || isTexts(one)) &&
    (first === undefined || Number.isSafeInteger(first))
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
