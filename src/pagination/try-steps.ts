/** Tries the steps of a cursor until one returns another page. */
import { ApiError } from '../errors.ts';
import type { JsonObject } from '../records/fields.ts';
import type { KnownIds } from './fingerprint.ts';
import type { NextQuery } from './next-url.ts';
import { createLastPage, type ListEnding, type Page, type ParsedPage } from './page.ts';
import type { PageCursor } from './page-cursor.ts';
import {
  classifyPageError,
  describeUnverified,
  isGonePage,
  isPageError,
  isRejectedParameter,
  type PageError,
} from './page-error.ts';
import { getPositionParams, isNumberParam } from './parameters.ts';
import { comparePages, matchesDeclaredPosition } from './same-page.ts';
import type { Step } from './signs.ts';

/** Requests one page of a list. */
export type FetchPage = (pageRequest?: PageRequest) => Promise<ParsedPage>;

/** The way to a page: a step of the previous page's cursor, and the entries read so far. */
export interface PageRequest {
  readonly step: Step;
  readonly from: PageCursor;
  readonly known: KnownIds;
}

/** Pages that a walk has read: a service that ignores its requests returns the same page forever. */
export interface WalkProgress {
  readonly ids: Set<string>;
  readonly overlapIds: ReadonlySet<string>;
  readonly fingerprints: Set<string>;
  /** Queries that have led to a page. */
  readonly reachedQueries: Set<string>;
  /** Responses in a row without a new entry. */
  idle: number;
}

export type StepResult =
  | { readonly kind: 'page'; readonly read: ParsedPage }
  | { readonly kind: 'end'; readonly page: Page<JsonObject> };

/** Pages that the steps have returned so far. */
interface Attempts {
  readonly cursor: PageCursor;
  readonly progress: WalkProgress;
  /** Queries that returned the previous page again: a part of one won't help either. */
  readonly ignored: NextQuery[];
  /** Queries that returned nothing, or an error that is not about their parameters: a part of one is tried last. */
  readonly emptied: NextQuery[];
  /** Parameters, as one text, that returned the previous page again. */
  readonly repeating: Set<string>;
  /** Parameters that returned nothing, or an error. */
  readonly useless: Set<string>;
  /** Steps that the service rejected with 400 or 422. */
  readonly rejected: Step[];
  /** The service rejects a parameter that it does not know. */
  isStrict: boolean;
  repeated?: ParsedPage;
  similar?: { readonly read: ParsedPage; readonly step: Step };
  empty?: { readonly read: ParsedPage; readonly step: Step };
  /** A response without a body instead of an announced page. */
  blank?: ParsedPage;
  rejection?: PageError;
  /** An error that may hide a page. */
  unverified?: PageError;
}

export async function trySteps(cursor: PageCursor, fetchPage: FetchPage, progress: WalkProgress): Promise<StepResult> {
  const attempts: Attempts = {
    cursor,
    progress,
    ignored: [],
    emptied: [],
    repeating: new Set(),
    useless: new Set(),
    rejected: [],
    isStrict: false,
  };
  const queue = [...cursor.steps];
  const postponed = new Set<Step>();
  for (let step = queue.shift(); step; step = queue.shift()) {
    if (isUseless(step, attempts)) continue;
    if (!postponed.has(step) && isWithinAny(step.query, attempts.emptied)) {
      postponed.add(step);
      queue.push(step);
      continue;
    }
    const read = await request(step, attempts, fetchPage);
    if (step.probe) {
      if (read && comparePages(read, { cursor, step, fingerprints: progress.fingerprints }) === 'same') break;
    } else if (read && isNextPage(read, step, attempts)) return arrive(read, step, progress);
  }
  return conclude(attempts);
}

async function request(step: Step, attempts: Attempts, fetchPage: FetchPage): Promise<ParsedPage | undefined> {
  const { cursor, progress } = attempts;
  try {
    return await fetchPage({ step, from: cursor, known: progress });
  } catch (error) {
    if (!isPageError(error)) throw error;
    const meaning = classifyPageError(error, cursor);
    if (meaning === 'fatal') throw error;
    if (meaning === 'none') attempts.rejection = error;
    else attempts.unverified = error;
    noteFailure(error, step, attempts);
    // Another number won't help: it could skip a page after the failed one.
    if (meaning === 'doubt' || (isGuess(step.by) && !step.learned)) attempts.useless.add(paramsKey(step));
    return undefined;
  }
}

function noteFailure(error: PageError, step: Step, attempts: Attempts): void {
  if (isRejectedParameter(error)) attempts.rejected.push(step);
  else attempts.emptied.push(step.query);
  // A service that rejects one unknown parameter rejects several too.
  if (getPositionParams(step).length === 1 && isGuess(step.by) && !isGonePage(error)) attempts.isStrict = true;
}

const paramsKey = ({ query, alone }: Step) => `${alone ? 'alone ' : ''}${Object.keys(query).join(' ')}`;

/** Returns true if the results of earlier steps show that this one can't reach another page. */
function isUseless(step: Step, { cursor, useless, ignored, rejected, isStrict }: Attempts): boolean {
  if (useless.has(paramsKey(step)) || isWithinAny(step.query, ignored)) return true;
  if (isStrict && isGuess(step.by) && getPositionParams(step).length > 1) return true;
  if (!step.alone) return false;
  const twins = cursor.steps.filter(({ by, alone }) => by === step.by && !alone);
  return twins.length > 0 && !twins.some((twin) => rejected.includes(twin));
}

const isGuess = (by: Step['by']) => by !== 'link' && by !== 'cursor';

function isWithinAny(query: NextQuery, wholes: readonly NextQuery[]): boolean {
  return wholes.some((whole) => Object.entries(query).every(([name, value]) => whole[name] === value));
}

/** Returns true if a response is the next page; if not, remembers what it was. */
function isNextPage(read: ParsedPage, step: Step, attempts: Attempts): boolean {
  const { cursor, progress, repeating, ignored, useless, emptied } = attempts;
  if (cursor.explicit && (read.page.raw ?? null) === null) {
    attempts.blank = read;
    return false;
  }
  const sameness = comparePages(read, { cursor, step, fingerprints: progress.fingerprints });
  // If a response already repeated the previous page unchanged, a similar one is a new page.
  if (sameness === 'same' || (sameness === 'similar' && !attempts.repeated)) {
    if (sameness === 'same') attempts.repeated = read;
    else attempts.similar ??= { read, step };
    repeating.add(paramsKey(step));
    ignored.push(step.query);
    progress.idle += 1;
    return false;
  }
  // A parameter that returned another page for another number is a position; one that returns nothing may be a filter.
  const mayBeFilter = cursor.trial && read.count === 0 && !confirmsPosition(read, { cursor, step });
  if (!mayBeFilter || repeating.has(paramsKey(step))) return true;
  if (!isMisplaced(step)) attempts.empty ??= { read, step };
  if (!step.learned) useless.add(paramsKey(step));
  emptied.push(step.query);
  return false;
}

/** Returns true if an empty page says that it is the requested one, or names a different next page. */
function confirmsPosition({ page, signs }: ParsedPage, { cursor, step }: { cursor: PageCursor; step: Step }): boolean {
  if (matchesDeclaredPosition(signs, step)) return true;
  const next = page.cursor?.steps[0]?.query;
  if (!next) return false;
  const values = (query: NextQuery) => JSON.stringify(Object.values(query));
  return cursor.read !== 0 || values(next) !== values(step.query);
}

/** Returns true if a cursor can't be what it was sent as: an offset, or the number of the second page. */
function isMisplaced({ by, query }: Step): boolean {
  return (
    by === 'cursor' && Object.entries(query).some(([param, value]) => isNumberParam(param) && !(Number(value) <= 2))
  );
}

function arrive(read: ParsedPage, { query }: Step, progress: WalkProgress): StepResult {
  progress.reachedQueries.add(JSON.stringify(query));
  return { kind: 'page', read };
}

/** Continues a list if no step returned a page that is certainly the next one. */
function conclude(attempts: Attempts): StepResult {
  const { cursor, progress, repeated, similar, empty, blank, rejection } = attempts;
  if (similar && repeated) return arrive(similar.read, similar.step, progress);
  const isRepeated = (repeated ?? similar) !== undefined;
  // The service's own error is more useful than the fact that it rejects its own cursor.
  if (!isRepeated && !empty && !blank && rejection && cursor.explicit) throw rejection;
  // A list without entries may name a next page forever; it ends with the empty one.
  const isGuessed = cursor.steps.filter(({ alone }) => !alone).length > 2 && cursor.read !== 0;
  if (empty && !isRepeated && !rejection && cursor.explicit && isGuessed)
    return endList(cursor, { reason: 'the service says that more entries follow but returned none' });
  if (empty) return arrive(empty.read, empty.step, progress);
  return endList(cursor, explainMissingPage(attempts), (repeated ?? similar?.read)?.page.raw);
}

function explainMissingPage({ cursor, repeated, similar, blank, unverified }: Attempts): ListEnding {
  if (cursor.explicit) {
    const instead = blank && !repeated && !similar ? 'an empty response' : 'the same page again';
    return { reason: `the service says that more entries follow but returned ${instead}` };
  }
  if (!unverified) return {};
  return { reason: describeUnverified(unverified), ...(unverified instanceof ApiError ? { error: unverified } : {}) };
}

/** Ends a list with an empty page that says how. */
export function endList({ total }: PageCursor, ending: ListEnding, raw?: unknown): StepResult {
  return { kind: 'end', page: createLastPage({ total, raw }, ending) };
}
