/** Decides from the signs of a page which requests may return the next one, and whether the list ends here. */
import { USUAL_PAGE_SIZES } from '../assumptions/index.ts';
import { getAfterIdSteps, guessSteps, mayBeTruncated } from './guesses.ts';
import type { PageInSequence } from './page-in-sequence.ts';
import { getPositionParams, getRequestedSizes, overwritesFilter, requestsPosition } from './parameters.ts';
import { findPosition, getStepsAfter, type PagePosition } from './position.ts';
import { removeDuplicateSteps, type Signs, type Step } from './signs.ts';
import { parseWholeNumber } from './values.ts';

export interface NextSteps {
  /** Most likely first; none at the end of the list. */
  readonly steps: readonly Step[];
  /** True if the service said that more follows; if not, only a request can tell. */
  readonly explicit: boolean;
  /** Entries read so far; undefined if the list was not read from its beginning. */
  readonly read: number | undefined;
  readonly total: number | undefined;
  /** Why the list can't be read to its end although more entries exist. */
  readonly incompleteReason?: string | undefined;
}

type Counts = Pick<NextSteps, 'read' | 'total'>;
type Decision = Pick<NextSteps, 'steps' | 'explicit' | 'incompleteReason'>;

const END: Decision = { steps: [], explicit: false };
const stop = (incompleteReason: string): Decision => ({ ...END, incompleteReason });

export function findNextSteps(page: PageInSequence): NextSteps {
  const { before, request, fresh } = page;
  const start = before ? before.read : requestsPosition(request.query) ? undefined : 0;
  const read = start === undefined ? undefined : start + fresh;
  const counts = { read, total: findTotal(page, read) };
  const decision = decide(page, counts);
  const isShort = decision.steps.length === 0 && isBelowTotal(counts);
  const reason =
    decision.incompleteReason ??
    (isShort ? `the service reports ${counts.total} entries but returned ${counts.read}` : undefined);
  return { ...decision, ...counts, incompleteReason: reason };
}

function isBelowTotal({ read, total }: Counts): boolean {
  return read !== undefined && total !== undefined && read < total;
}

function decide(page: PageInSequence, counts: Counts): Decision {
  const { signs, by } = page;
  if (signs.more === false) return END;
  const named = getNamedSteps(page, counts.read);
  if (named.length > 0 && !isBehindLastLink(page, named)) return { steps: named, explicit: true };
  if (signs.next.length > 0 && named.length === 0)
    return stop('the next page is requested by a parameter that this call filters by');
  const position = findPosition(page);
  if (signs.unusable !== undefined && !position) return stop(signs.unusable);
  // A service that names the next page names none at the end.
  if ((by?.by === 'cursor' || by?.by === 'link') && signs.more !== true) return END;
  return position ? decideByPosition(page, { position, counts }) : decideWithoutPosition(page, counts);
}

/** Returns true if links led here and this page has none: such a service may name a cursor on its last page too. */
function isBehindLastLink({ signs, by }: PageInSequence, named: readonly Step[]): boolean {
  const isLinked = by?.by === 'link' && !named.some((step) => step.by === 'link');
  return isLinked && signs.more !== true && signs.unusable === undefined;
}

/** The steps that the response names; behind a cursor only under the parameters that have worked. */
function getNamedSteps({ signs, by, request }: PageInSequence, read: number | undefined): readonly Step[] {
  const names = by?.by === 'cursor' ? getPositionParams(by, request) : [];
  const next = by ? signs.next.filter(({ alone = false }) => alone === (by.alone ?? false)) : signs.next;
  const candidates = next.length > 0 ? next : signs.next;
  const used = candidates.filter(({ query }) => Object.keys(query).every((name) => names.includes(name)));
  return removeDuplicateSteps(used.length > 0 ? used : candidates)
    .filter((step, at) => at === 0 || !isWrongOffset(step, read))
    .filter((step) => step.by === 'link' || step.alone || !overwritesFilter(step, request));
}

/** A number that a response names as the next page is an offset only after this many entries. */
function isWrongOffset({ by, query }: Step, read: number | undefined): boolean {
  const offset = by === 'cursor' ? parseWholeNumber(query['offset']) : undefined;
  return offset !== undefined && read !== undefined && offset !== read;
}

function decideByPosition(
  page: PageInSequence,
  { position, counts }: { position: PagePosition; counts: Counts },
): Decision {
  const { signs, by, count } = page;
  const mismatch = findMismatch(page, position);
  if (mismatch !== undefined) return stop(mismatch);
  const follows = followsPosition(page, { position, counts });
  if (follows === false) return count === 0 && signs.unusable !== undefined ? stop(signs.unusable) : END;
  // A next page that can't be requested as the service names it exists all the same.
  const explicit = follows === true || signs.unusable !== undefined;
  if (position.by === 'offset' && count === 0 && explicit)
    return stop('the service says that more entries follow after an empty page');
  const guesses = by || !(explicit || mayBeTruncated(page)) ? [] : guessSteps(page, { isCertain: explicit, position });
  const [param = ''] = position.params;
  const steps = removeDuplicateSteps([...getStepsAfter(position, page), ...guesses]);
  return { steps: steps.filter(({ query }) => query[param] !== `${position.at}`), explicit };
}

/** Returns the reason if page or entry numbers contradict the requested ones: an entry was skipped or repeated. */
function findMismatch(
  { signs, by, before, count, lastId }: PageInSequence,
  position: PagePosition,
): string | undefined {
  const isSecond = before?.trial === true && before.steps[0]?.first === 1;
  if (!by || !isSecond) return undefined;
  if (by.by === 'page' && position.at === 2 && signs.page?.at === 3)
    return 'the page numbers in the responses do not match the requested ones, so a page may be missing';
  // Entries with ids are compared by them.
  if (by.by === 'offset' && count > 0 && lastId === undefined && signs.offset?.at === before.read)
    return 'the entry numbers in the responses do not match the requested ones, so an entry was returned twice';
  return undefined;
}

/** Returns true if more follows after a position; `unknown` if only a request can tell. */
function followsPosition(
  { signs, count, by: led }: PageInSequence,
  { position: { by, at, first }, counts: { read, total } }: { position: PagePosition; counts: Counts },
): boolean | 'unknown' {
  if (by === 'page' && signs.pages !== undefined) return at + 1 - first < signs.pages;
  if (signs.more === true) return true;
  if (count === 0) return false;
  if (total === undefined && signs.partial && !led) return true;
  if (total === undefined) return signs.ended ? false : 'unknown';
  const before = by === 'offset' ? at - first : (at - first) * (signs.size ?? count);
  return (read ?? before + count) < total;
}

function decideWithoutPosition(page: PageInSequence, counts: Counts): Decision {
  const { signs, by, count, lastId } = page;
  const isOther = by !== undefined && by.by !== 'after-id';
  const { usual: byId, others } =
    lastId === undefined || isOther ? { usual: [], others: [] } : getAfterIdSteps(page, lastId);
  if (signs.more === true) {
    const steps = by ? byId : [...byId, ...guessSteps(page, { isCertain: true }), ...others];
    return steps.length > 0
      ? { steps: removeDuplicateSteps(steps), explicit: true }
      : stop('the service says that more entries follow but not how to request them');
  }
  const isBelow = isBelowTotal(counts);
  if (by) {
    const follows = by.by === 'after-id' && (isBelow || (counts.total === undefined && count > 0));
    return follows ? { steps: byId, explicit: isBelow } : END;
  }
  if (signs.ended || count === 0) return END;
  if (signs.pages !== undefined)
    return signs.pages > 1 ? { steps: guessSteps(page, { isCertain: true }), explicit: true } : END;
  const learned = signs.afterId ? byId : [];
  const isPart = signs.partial && counts.total === undefined;
  if (isBelow || isPart) return { steps: [...learned, ...guessSteps(page, { isCertain: true })], explicit: true };
  // If the page is as long as requested, an equal total may be that of the page.
  const isWhole =
    counts.total !== undefined && !(counts.total === count && getRequestedSizes(page.request).includes(count));
  if (isWhole || !mayBeTruncated(page)) return END;
  const steps = removeDuplicateSteps([
    ...learned,
    ...guessSteps(page, { isCertain: false }),
    ...getSilentIdSteps(byId),
  ]);
  return { steps: [...getProbeSteps(page, steps), ...steps], explicit: false };
}

/** If more entries came than were requested, the list may be whole: one request then saves the others. */
function getProbeSteps({ request, count }: PageInSequence, steps: readonly Step[]): Step[] {
  const isOversized = getRequestedSizes(request).some((size) => size < count);
  return isOversized ? [{ by: 'page', query: Object.assign({}, ...steps.map(({ query }) => query)), probe: true }] : [];
}

/** After a full page that says nothing, tries its last ID last: in all parameters, then in the most usual one. */
function getSilentIdSteps(byId: readonly Step[]): Step[] {
  return byId.filter(({ query }) => Object.keys(query).length > 1 || Object.hasOwn(query, 'after'));
}

/** The least total that was declared; one below the number of entries read is none. */
function findTotal({ signs, count, before }: PageInSequence, read: number | undefined): number | undefined {
  // If a page is empty, some services count nothing at all.
  const own = signs.total === 0 && count === 0 && before ? undefined : signs.total;
  const declared = [own, before?.total].filter((total) => total !== undefined);
  if (declared.length > 0) {
    const min = Math.min(...declared);
    return min < Math.max(count, read ?? 0) ? undefined : min;
  }
  if (signs.count === undefined || !countsAll(signs, count)) return undefined;
  return signs.count > Math.max(count, (read ?? 0) - 1) ? signs.count : undefined;
}

/** Returns true if `count` may count all entries: it is not a page size, and nothing else says how the list continues. */
function countsAll(signs: Signs, count: number): boolean {
  const isSilent = signs.more === undefined && !signs.ended && signs.pages === undefined && signs.next.length === 0;
  const isPageSize =
    signs.size === undefined &&
    (signs.page ?? signs.offset) !== undefined &&
    USUAL_PAGE_SIZES.includes(signs.count ?? 0) &&
    !USUAL_PAGE_SIZES.includes(count);
  return isSilent && !isPageSize;
}
