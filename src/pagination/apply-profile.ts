/** Puts the signs that a profile knows before the detected ones. */
import { getJsonType, getValueAt, resemblesSchema } from '../profile/check-schema.ts';
import type { NextPageScheme } from '../profile/paging-scheme.ts';
import { isObject } from '../records/fields.ts';
import type { ActiveScheme } from './active-scheme.ts';
import { type FoundItems, findItems, isLinkArray } from './find-items.ts';
import { mayBeTruncated } from './guesses.ts';
import { createLinkSteps, isAlreadyRequested } from './named-steps.ts';
import { type ListRequest, parseNextUrl } from './next-url.ts';
import type { Signs, Step } from './signs.ts';
import { parseCount, parseCursor, parseWholeNumber } from './values.ts';

/** Returns the entries at the path that a profile names. If the response contradicts it, they are found without it. */
export function findItemsByProfile(
  raw: unknown,
  { resource, scheme, isLater }: { resource: string; scheme: ActiveScheme | undefined; isLater: boolean },
): FoundItems | undefined {
  const usual = findItems(raw, resource, isLater);
  const path = scheme?.at;
  if (!path || raw === undefined || raw === null) return usual;
  const items = getValueAt(raw, path);
  if (!Array.isArray(items)) {
    if (usual && items !== null) scheme.contradict('at', `no list there, but ${getJsonType(items ?? raw)}`);
    return usual;
  }
  if (usual?.items === items) return usual;
  const isExpected = resemblesSchema(scheme.entry, items[0]) || (items.length === 0 && usual?.items.length === 0);
  if (!usual || isExpected) {
    const around = path.map((_, index) => getValueAt(raw, path.slice(0, index))).filter(isObject);
    return { items, around };
  }
  scheme.contradict('at', 'a list of other entries there');
  return usual;
}

interface ProfiledResponse {
  readonly raw: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly request: ListRequest;
  readonly count: number;
  readonly by: Step | undefined;
  readonly scheme: ActiveScheme;
}

/**
 * Puts the signs of a profile before the detected ones. Keeps everything that the response says, so an outdated profile
 * costs a request but never ends a list.
 */
export function applyProfile(detected: Signs, response: ProfiledResponse): Signs {
  const { scheme, request, count } = response;
  const signs = withCounts(detected, response);
  const { next } = scheme;
  if (!next) return signs;
  const state: PageState = {
    isFirst: response.by === undefined,
    leadsOn: signs.next.length > 0 || signs.more === true || (signs.total ?? 0) > count,
    mayBeCut: mayBeTruncated({ signs, request, count }),
    size: parseWholeNumber(Object.values(request.size ?? {})[0]) ?? 0,
  };
  switch (next.by) {
    case 'none':
      return withOnePage(signs, response, state);
    case 'after-id':
      return { ...signs, afterId: next.params };
    case 'page':
    case 'offset':
      return withNumber(signs, response, { next, kind: next.by, state });
    default:
      return withNamed(signs, response, { next, state });
  }
}

interface PageState {
  readonly isFirst: boolean;
  /** True if the response itself says that more follows. */
  readonly leadsOn: boolean;
  readonly mayBeCut: boolean;
  /** Page size that the client requested; 0 for none. */
  readonly size: number;
}

/** Adds what the fields named by the profile say: whether more follows, and how many entries exist. */
function withCounts(signs: Signs, { raw, scheme: { more, total } }: ProfiledResponse): Signs {
  const flag = more && getValueAt(raw, more.at);
  const isFlag = more !== undefined && signs.more === undefined && typeof flag === typeof more.means;
  return {
    ...signs,
    ...(isFlag ? { more: flag === more.means, moreField: more.at.at(-1) } : {}),
    total: signs.total ?? (total && parseCount(getValueAt(raw, total))),
  };
}

/** A list of one page. If it is full and longer than any observed one, only a request can tell. */
function withOnePage(signs: Signs, { scheme, count }: ProfiledResponse, state: PageState): Signs {
  if (!state.isFirst) return signs;
  if (state.leadsOn) {
    scheme.contradict('next', 'a response that leads on');
    return signs;
  }
  const isLonger = state.mayBeCut && count > (scheme.entry?.['x-seen'] ?? 0);
  return isLonger || signs.page || signs.offset ? signs : { ...signs, ended: true };
}

/** Pages or entries that the caller counts. */
function withNumber(
  signs: Signs,
  { scheme, count }: ProfiledResponse,
  { next, kind, state }: { next: NextPageScheme; kind: 'page' | 'offset'; state: PageState },
): Signs {
  const declared = signs[kind];
  const [learned] = next.params;
  // If neither the response nor the profile says whether pages count from 0 or 1, one could be skipped.
  if (learned === undefined || (kind === 'page' && !declared && next.first === undefined)) return signs;
  const first = next.first ?? (kind === 'page' ? 1 : 0);
  const params = [...new Set([...next.params, ...(declared?.params ?? [])])];
  // Shorter than a size that was requested and confirmed; if the response says nothing, than any page may be.
  const isShort = declared
    ? signs.size === state.size && count < state.size
    : !state.mayBeCut && count !== scheme.size?.default;
  const ended = signs.ended || (state.isFirst && !state.leadsOn && isShort);
  return { ...signs, [kind]: { at: declared?.at ?? first, params, first, learned }, ended };
}

/** A cursor or an address in the field, or the header, that the profile names. */
function withNamed(
  signs: Signs,
  { raw, headers, request, count, scheme }: ProfiledResponse,
  { next, state }: { next: NextPageScheme; state: PageState },
): Signs {
  // Links in a header and in an array are read without a profile.
  if (next.header === 'link') return { ...signs, ended: signs.ended || signs.next.length === 0 };
  const value = next.header ? headers[next.header.toLowerCase()] : next.at && getValueAt(raw, next.at);
  if (isLinkArray(value)) return signs;
  const cursor = parseCursor(Array.isArray(value) && !value.some(isObject) ? value.join(',') : value);
  if (cursor === undefined) {
    if (state.leadsOn) scheme.contradict('next', 'a response that leads on without it');
    else if (isObject(value)) scheme.contradict('next', getJsonType(value));
    const isEnd = !state.leadsOn && (value !== undefined || scheme.presence === 'sometimes');
    return isEnd && (next.header ?? next.at) ? { ...signs, ended: true } : signs;
  }
  // If last pages name a next one too, a first page with fewer entries than requested is the only one.
  const isShort = state.isFirst && count < state.size && !state.mayBeCut;
  if (isShort && scheme.presence === 'filled') return { ...signs, next: [], ended: true, more: false };
  const steps = getLearnedSteps(cursor, next, request);
  if (steps.length === 0) return signs;
  return { ...signs, next: [...steps, ...signs.next], unusable: undefined, ended: false };
}

function getLearnedSteps(cursor: string, { by, params }: NextPageScheme, request: ListRequest): Step[] {
  if (by === 'cursor')
    return params.map((param): Step => ({ by: 'cursor', query: { [param]: cursor }, learned: true }));
  const url = parseNextUrl(cursor, request);
  // The profile may have mistaken the URL of the page itself for that of the next one.
  if (typeof url === 'string' || isAlreadyRequested(url.merged, request)) return [];
  return createLinkSteps(url).map((step) => ({ ...step, learned: true }));
}
