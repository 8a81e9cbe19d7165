/** Common requests for the next page, for a response that does not say how to request it. */
import * as assumed from '../assumptions/index.ts';
import type { PageInSequence } from './page-in-sequence.ts';
import { getPositionParams, getRequestedSizes, isCallerFilter, overwritesFilter } from './parameters.ts';
import { createNumberedStep, type PagePosition } from './position.ts';
import { removeDuplicateSteps, type Step, toGroups } from './signs.ts';
import { getParamSpellings } from './values.ts';

/**
 * Returns the usual requests for a second page, by number or offset. Page 1 comes before page 2: if the service counts
 * from 0, page 2 would skip a page. With `isCertain` (the service says that more follows), also rare parameters.
 */
export function guessSteps(
  { request, count }: PageInSequence,
  { isCertain, position }: { isCertain: boolean; position?: PagePosition },
): Step[] {
  const offset = (params: readonly string[]) => createOffsetStep(params, count);
  const groups = (names: readonly string[]) => toGroups(names.filter((name) => !isCallerFilter(name, request)));
  const pages = [1, 2].map((number) => createPageStep([assumed.GUESSED_PAGE_PARAM], number));
  const offsets = groups(assumed.GUESSED_OFFSET_PARAMS).map(offset);
  const numbers = position?.by === 'page' ? [position.at + 1] : [1, 2];
  const rarePages = numbers.flatMap((number) =>
    groups(assumed.RARE_PAGE_PARAMS).map((params) => createPageStep(params, number)),
  );
  const rareOffsets = groups(assumed.RARE_OFFSET_PARAMS).map(offset);
  const related = getRelatedSteps(request.query, count);
  const all = [...related, ...pages, ...offsets, ...(isCertain ? [...rarePages, ...rareOffsets] : [])];
  return removeDuplicateSteps(
    all.filter((step) => !overwritesFilter(step, request) && (step.by !== 'offset' || count > 0)),
  );
}

/** A size parameter of the caller may tell which names the service knows: `page[limit]` goes with `page[offset]`. */
function getRelatedSteps(query: URLSearchParams, count: number): Step[] {
  return Object.entries(assumed.POSITION_PARAM_BY_SIZE_PARAM).flatMap(([sizeParam, param]) => {
    if (!query.has(sizeParam)) return [];
    return /skip|offset/.test(param)
      ? [createOffsetStep([param], count)]
      : [1, 2].map((number) => createPageStep([param], number));
  });
}

/** Requests a page by a number whose predecessor is taken for the first page. */
function createPageStep(params: readonly string[], number: number): Step {
  return createNumberedStep('page', { params, value: number, first: number - 1 });
}

function createOffsetStep(params: readonly string[], count: number): Step {
  return createNumberedStep('offset', { params, value: count, first: 0 });
}

/** Returns the requests that name the last entry: the `usual` ones, and others in another spelling. */
export function getAfterIdSteps(
  { signs, by, request }: PageInSequence,
  lastId: string,
): { readonly usual: readonly Step[]; readonly others: readonly Step[] } {
  const create = (params: readonly string[]): Step => ({
    by: 'after-id',
    query: Object.fromEntries(params.map((param) => [param, lastId])),
    ...(signs.afterId ? { learned: true } : {}),
  });
  if (by) return { usual: [create(getPositionParams(by, request))], others: [] };
  const isFree = (name: string) => !isCallerFilter(name, request);
  if (signs.afterId) return { usual: toGroups(signs.afterId.filter(isFree)).map(create), others: [] };
  const spelled = getParamSpellings(signs.moreField ?? '', assumed.AFTER_ID_PARAMS);
  const { length } = assumed.AFTER_ID_PARAMS;
  const usual = toGroups(spelled.slice(0, length).filter(isFree)).map(create);
  const others = spelled.slice(length).filter(isFree);
  return { usual, others: others.map((name) => create([name])) };
}

/** Returns true if more entries may follow a page that says nothing: it is as long as requested, declared or usual. */
export function mayBeTruncated({
  signs,
  request,
  count,
}: Pick<PageInSequence, 'signs' | 'request' | 'count'>): boolean {
  return (
    signs.partial ||
    count === signs.size ||
    getRequestedSizes(request).includes(count) ||
    assumed.USUAL_PAGE_SIZES.includes(count)
  );
}
