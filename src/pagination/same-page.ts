/** Detects pages that a service has returned before. */
import { hasSameEntries, hasSameFirstEntries } from './fingerprint.ts';
import type { ParsedPage } from './page.ts';
import type { PageCursor } from './page-cursor.ts';
import { isSameQuery, type Step } from './signs.ts';

/** A request, and the fingerprints of all pages before it. */
interface PageAttempt {
  readonly cursor: PageCursor;
  readonly step: Step;
  readonly fingerprints: ReadonlySet<string>;
}

/** `similar`: a page without ids that may be the same with other values, or another one. */
type Sameness = 'same' | 'similar' | 'other';

export function comparePages(read: ParsedPage, attempt: PageAttempt): Sameness {
  if (read.count === 0) return 'other';
  return read.ids ? compareByIds(read, attempt) : compareByValues(read, attempt);
}

function compareByIds(
  { page, count, fingerprint, partialFingerprints }: ParsedPage,
  { cursor, step, fingerprints }: PageAttempt,
): Sameness {
  const { trial = false, explicit, partialFingerprints: before = [], steps } = cursor;
  if (fingerprints.has(fingerprint)) return 'same';
  if ((trial || !explicit) && page.items.length === 0) return 'same';
  if (!trial) return 'other';
  if (hasSameEntries(partialFingerprints, before)) return 'same';
  // Entries were added or removed between two requests, and another parameter may return the next page.
  const isShifted =
    page.items.length * 2 < count || partialFingerprints.filter((one) => before.includes(one)).length > 1;
  return isShifted && step !== steps.at(-1) ? 'same' : 'other';
}

/** Equal entries without ids may be different ones: then the response's own position decides. */
function compareByValues(read: ParsedPage, { cursor, step, fingerprints }: PageAttempt): Sameness {
  const { page, count, fingerprint, partialFingerprints, signs } = read;
  const { trial = false, explicit, partialFingerprints: before = [] } = cursor;
  const isRepeated = fingerprints.has(fingerprint);
  if (step.by === 'cursor' || step.by === 'link') {
    const next = page.cursor?.steps[0]?.query ?? (trial ? step.query : undefined);
    return isRepeated && next && isSameQuery(next, step.query) ? 'same' : 'other';
  }
  // A few entries that are all known: the parameter was a filter.
  if (trial && hasSameFirstEntries(partialFingerprints, before, count)) return 'same';
  const isAtStep = matchesDeclaredPosition(signs, step);
  if (isRepeated) return explicit && (!trial || isAtStep) ? 'other' : 'same';
  const isSimilar = trial && partialFingerprints.some((one) => before.includes(one));
  return isSimilar && !explicit && !isAtStep ? 'similar' : 'other';
}

/** Returns true if a response says that it is the page, or begins with the entry, that a step requests. */
export function matchesDeclaredPosition({ page, offset }: ParsedPage['signs'], { by, query }: Step): boolean {
  const at = by === 'page' ? page?.at : by === 'offset' ? offset?.at : undefined;
  return at !== undefined && `${at}` === Object.values(query)[0];
}
