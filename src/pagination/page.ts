import { KIND_FIELDS } from '../assumptions/index.ts';
import type { ApiError } from '../errors.ts';
import { idOf, isObject, type JsonObject } from '../records/fields.ts';
import type { ActiveScheme } from './active-scheme.ts';
import { applyProfile, findItemsByProfile } from './apply-profile.ts';
import { detectSigns, type PagedResponse } from './detect-signs.ts';
import { getFingerprint, getOverlapIds, getPartialFingerprints, isKnownId, type KnownIds } from './fingerprint.ts';
import { findNextSteps, type NextSteps } from './next-steps.ts';
import type { ListRequest, NextQuery } from './next-url.ts';
import type { PageCursor } from './page-cursor.ts';
import type { Signs, Step } from './signs.ts';

/** A page of a list. One that is not `complete` is a separate case, with its reason. */
export type Page<Item> = CompletePage<Item> | IncompletePage<Item>;

/** A page with all entries up to its end. If it has a `cursor`, the rest of the list can be requested. */
export interface CompletePage<Item> extends PageContent<Item> {
  readonly complete: true;
}

/** The last page that can be read of a list that has more entries. */
export interface IncompletePage<Item> extends PageContent<Item> {
  readonly complete: false;
  readonly incompleteReason: string;
  /** The service's response to the request for a page that it had announced, if that is why the list ends here. */
  readonly error?: ApiError;
}

interface PageContent<Item> {
  readonly items: readonly Item[];
  /** Query parameters of the next page; undefined if the service names none, although `cursor` may continue. */
  readonly nextQuery: NextQuery | undefined;
  /** Number of all entries of the list, if the service reports it. */
  readonly total?: number;
  /** Position of the next page, for the option `cursor`; also present if only a request can tell whether it exists. */
  readonly cursor?: PageCursor;
  /** The parsed response body. */
  readonly raw: unknown;
}

/** A page, and the data needed to read the next one. */
export interface ParsedPage {
  readonly page: Page<JsonObject>;
  readonly signs: Signs;
  /** Entries of the response, including those that an earlier page had. */
  readonly count: number;
  readonly ids: readonly string[] | undefined;
  readonly fingerprint: string;
  readonly partialFingerprints: readonly string[];
}

/** A response with everything known before its page is read. */
export interface PageContext extends PagedResponse {
  /** The cursor and its step that led here; undefined for the first page of a call. */
  readonly from?: PageCursor | undefined;
  readonly by?: Step | undefined;
  readonly known?: KnownIds | undefined;
  /** A profile's facts about this list. */
  readonly scheme?: ActiveScheme | undefined;
}

/** Reads a list response in any of the usual envelopes (§4 shows none); undefined if it contains no list. */
export function parsePage(raw: unknown, context: PageContext): ParsedPage | undefined {
  const { request, from, by, known, scheme, headers } = context;
  const found = findItemsByProfile(raw, { resource: context.resource, scheme, isLater: from !== undefined });
  if (!found) return undefined;
  const all = from && found.items.every(isPlaceholder) ? [] : found.items.map(toItem);
  const ids = getDistinctIds(all);
  const items = ids && known ? all.filter((_, at) => !isKnownId(ids[at] ?? '', known)) : all;
  const count = all.length;
  const detected = detectSigns(found.around, context);
  const signs = scheme ? applyProfile(detected, { raw, headers, request, count, by, scheme }) : detected;
  const lastId = idOf(all.at(-1));
  const next = findNextSteps({ signs, request, count, fresh: items.length, lastId, by, before: from });
  const fingerprint = getFingerprint(all, ids);
  const partialFingerprints = !from || from.trial ? getPartialFingerprints(all, ids) : [];
  const cursor = createCursor(next, { context, ids, fingerprint, partialFingerprints });
  const { total, incompleteReason } = next;
  // The first of several guesses may return the same page again: following only that one could loop.
  const isNamed = signs.next.length > 0 || signs.page !== undefined || signs.offset !== undefined;
  const page: Page<JsonObject> = {
    items,
    nextQuery: isNamed ? cursor?.steps[0]?.query : undefined,
    ...getCompleteness(incompleteReason),
    ...(total === undefined ? {} : { total }),
    ...(cursor ? { cursor } : {}),
    raw,
  };
  return { page, signs, count, ids, fingerprint, partialFingerprints };
}

/** False for a list in a record, such as `{data, has_more}`, that says that more entries exist. */
export function isWholeList(value: unknown, resource: string): boolean {
  const request = {
    listUrl: new URL('https://host.invalid'),
    query: new URLSearchParams(),
    basePath: '/',
    pathParams: {},
  };
  const page = parsePage(value, { headers: {}, request, resource })?.page;
  return page === undefined || (page.complete && !page.cursor?.explicit);
}

/** How a list ends: with a `reason` if more entries exist than can be read. */
export interface ListEnding {
  readonly reason?: string;
  readonly error?: ApiError;
}

/** Creates the last page of a list. */
export function createLastPage(
  { items = [], total, raw }: { items?: readonly JsonObject[]; total?: number | undefined; raw: unknown },
  { reason, error }: ListEnding,
): Page<JsonObject> {
  return {
    items,
    nextQuery: undefined,
    ...getCompleteness(reason),
    ...(error ? { error } : {}),
    ...(total === undefined ? {} : { total }),
    raw,
  };
}

/** Returns the fields of a page that say if more entries exist than can be read. */
function getCompleteness(
  incompleteReason: string | undefined,
): { complete: true } | { complete: false; incompleteReason: string } {
  return incompleteReason === undefined ? { complete: true } : { complete: false, incompleteReason };
}

function createCursor(
  { steps, explicit, read, total }: NextSteps,
  {
    context: { request, by },
    ids,
    fingerprint,
    partialFingerprints,
  }: { context: PageContext } & Pick<ParsedPage, 'ids' | 'fingerprint' | 'partialFingerprints'>,
): PageCursor | undefined {
  if (steps.length === 0) return undefined;
  return {
    steps: steps.map((step) => withSize(step, request)),
    explicit,
    ...(by ? {} : { trial: true }),
    fingerprint,
    // A single step is not compared with others.
    ...(by || (explicit && steps.length === 1) ? {} : { partialFingerprints }),
    ...(ids && ids.length > 0 ? { overlapIds: getOverlapIds(ids) } : {}),
    ...(read === undefined ? {} : { read }),
    ...(total === undefined ? {} : { total }),
  };
}

/** All pages are requested with the same size. */
function withSize(step: Step, { size }: ListRequest): Step {
  return step.alone || !size ? step : { ...step, query: { ...step.query, ...size, ...step.query } };
}

/** `[null]` or `[{}]`: what some services return instead of entries after the last page. */
function isPlaceholder(item: unknown): boolean {
  return item === null || (isObject(item) && Object.keys(item).length === 0);
}

/** An entry as an object, also in a list of texts or numbers, and without the `node` of an edge around it. */
function toItem(item: unknown): JsonObject {
  if (!isObject(item)) return { value: item };
  const { node } = item;
  const isEdge = isObject(node) && Object.keys(item).every((key) => key === 'node' || key === 'cursor');
  return isEdge ? node : item;
}

/** The ids of all entries, if they are unique. Entries of two kinds may have the same ids. */
function getDistinctIds(items: readonly JsonObject[]): readonly string[] | undefined {
  const ids = items.flatMap((item) => {
    const kind = KIND_FIELDS.map((name) => item[name]).find((value) => typeof value === 'string');
    const id = idOf(item);
    return id === undefined ? [] : [kind === undefined ? id : `${String(kind)}\n${id}`];
  });
  return ids.length === items.length && new Set(ids).size === ids.length ? ids : undefined;
}
