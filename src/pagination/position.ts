/** Positions of numbered pages in their list, and the requests for the next ones. */
import { GUESSED_OFFSET_PARAMS } from '../assumptions/index.ts';
import { normalizeName } from '../records/fields.ts';
import type { PageInSequence } from './page-in-sequence.ts';
import { getNumberParams, getPositionParams } from './parameters.ts';
import type { Position, Step } from './signs.ts';
import { parseWholeNumber } from './values.ts';

export interface PagePosition extends Position {
  readonly by: 'page' | 'offset';
  readonly first: number;
}

/** Returns the position of a page, from its request: the number in the response may be fixed, or be the next one. */
export function findPosition(page: PageInSequence): PagePosition | undefined {
  const { by } = page;
  if (by) return by.by === 'page' || by.by === 'offset' ? getRequestedPosition(page, by.by) : undefined;
  return (
    getRequestedPosition(page, 'page') ??
    getDeclaredPosition(page, 'page') ??
    getRequestedPosition(page, 'offset') ??
    getDeclaredPosition(page, 'offset')
  );
}

function getRequestedPosition(
  { signs, by, request }: PageInSequence,
  kind: 'page' | 'offset',
): PagePosition | undefined {
  const params = by ? getPositionParams(by, request) : getNumberParams(request.query, kind);
  const at = parseWholeNumber(request.query.get(params[0] ?? ''));
  if (at === undefined) return undefined;
  const first = by?.first ?? signs[kind]?.first ?? (kind === 'page' ? Math.min(at, 1) : 0);
  return { by: kind, at, params, first };
}

/** A number that was not requested is a position only at the beginning of a list. */
function getDeclaredPosition({ signs, count }: PageInSequence, kind: 'page' | 'offset'): PagePosition | undefined {
  const declared = signs[kind];
  if (!declared) return undefined;
  // Some services put the next offset into the same field.
  const isNext = kind === 'offset' && count > 0 && declared.at === count && isPlainOffset(declared);
  const at = isNext ? 0 : declared.at;
  if (at > Math.max(1, declared.first ?? 0)) return undefined;
  return { ...declared, by: kind, at, first: declared.first ?? at };
}

function isPlainOffset({ params: [param = ''] }: Position): boolean {
  return GUESSED_OFFSET_PARAMS.includes(normalizeName(param));
}

/** Returns the requests for the page after a position: one per name, or with all names that have worked together. */
export function getStepsAfter(
  { by, at, params, first, learned }: PagePosition,
  { count, by: used }: PageInSequence,
): Step[] {
  const value = by === 'page' ? at + 1 : at + count;
  const groups = used ? [params] : params.map((param) => [param]);
  return groups.map((names) => {
    const step = createNumberedStep(by, { params: names, value, first });
    return names[0] === learned && learned !== undefined ? { ...step, learned: true } : step;
  });
}

export function createNumberedStep(
  by: 'page' | 'offset',
  { params, value, first }: { params: readonly string[]; value: number; first: number },
): Step {
  return { by, first, query: Object.fromEntries(params.map((param) => [param, `${value}`])) };
}
