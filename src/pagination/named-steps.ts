/** The next page that a response itself names, by a link or a cursor. */
import * as assumed from '../assumptions/index.ts';
import { createNameSet, getTextField, isObject, normalizeName, normalizeNames } from '../records/fields.ts';
import { getRelations, isLinkArray } from './find-items.ts';
import { type Metadata, type MetadataField, POSITION_FIELDS } from './metadata.ts';
import { getRequestParams, type ListRequest, type NextQuery, type NextUrl, parseNextUrl } from './next-url.ts';
import { type Step, toGroups } from './signs.ts';
import { createParamTable, getParamSpellings, isNoCursor, isTextCursor, mayBeUrl, parseCursor } from './values.ts';

interface NamedSteps {
  readonly steps: Step[];
  /** Why a named page can't be requested. */
  unusable?: string | undefined;
  /** A field for the next page is present and empty. */
  ended: boolean;
  /** A field that may repeat the cursor of the request is empty. */
  emptyEcho: boolean;
}

const URL_FIELDS = normalizeNames(assumed.NEXT_URL_FIELDS);
const CURSOR_FIELDS = createParamTable(assumed.CURSOR_FIELDS);
const ECHO_FIELDS = createNameSet(assumed.ECHOED_CURSOR_FIELDS);
const PAGING_OBJECTS = createNameSet(assumed.PAGING_KEYS.filter((name) => name !== 'next'));

/** Parameter names under which a cursor is also tried without the caller's own query. */
const MAX_ALONE = 4;

/** Returns the steps that a response names. A link says everything that is to be requested, so it comes first. */
export function findNamedSteps(
  metadata: readonly Metadata[],
  { linkHeader, request }: { linkHeader: string | undefined; request: ListRequest },
): NamedSteps {
  const named: NamedSteps = { steps: [], ended: false, emptyEcho: false };
  const url = linkHeader ?? findLink(metadata);
  if (url !== undefined) addLink(named, url, request);
  for (const [name, params] of CURSOR_FIELDS) {
    for (const fields of metadata) {
      const field = fields.get(name);
      if (field && named.steps.length === 0)
        addCursor(named, field, { name, params, request, hasLink: url !== undefined });
    }
  }
  named.ended ||= metadata.some((fields) => URL_FIELDS.some((name) => isNoCursor(fields.get(name)?.value)));
  return named;
}

function addLink(named: NamedSteps, url: string, request: ListRequest): void {
  const next = parseNextUrl(url, request);
  if (typeof next === 'string') {
    named.unusable ??= next;
    return;
  }
  named.steps.push(...createLinkSteps(next));
}

/** The requests of a next-page URL: beside the caller's own query, then in its place. */
export function createLinkSteps({ merged, alone }: NextUrl): Step[] {
  const step: Step = { by: 'link', query: merged };
  return alone ? [step, { by: 'link', query: alone, alone: true }] : [step];
}

function addCursor(
  named: NamedSteps,
  field: MetadataField,
  {
    name,
    params,
    request,
    hasLink,
  }: { name: string; params: readonly string[]; request: ListRequest; hasLink: boolean },
): void {
  if (POSITION_FIELDS.has(name) && !isTextCursor(field.value)) return;
  // Some services put a whole address where others put a cursor.
  const url = findLinkInCursor(field.value);
  if (url !== undefined) {
    if (!hasLink) addLink(named, url, request);
    return;
  }
  const steps = getCursorSteps(field, params);
  if (steps.length === 0) {
    if (isObjectKey(field, name))
      named.unusable ??= `the service identifies the next page by an object, "${field.name}", which no parameter accepts`;
    if (!isNoCursor(field.value)) return;
    // The cursor of the request, repeated: empty because the request had none.
    const isEcho = ECHO_FIELDS.has(name) && !params.some((param) => request.query.has(param));
    if (isEcho) named.emptyEcho = true;
    else named.ended = true;
    return;
  }
  const isEcho = ECHO_FIELDS.has(name) && steps.some(({ query }) => isAlreadyRequested(query, request));
  if (isEcho) return;
  const [first, ...others] = steps;
  if (!first) return;
  // Some services accept no filter beside a cursor.
  const alone =
    getRequestParams(request).length > 0
      ? steps.slice(0, MAX_ALONE).map((step): Step => ({ ...step, alone: true }))
      : [];
  named.steps.push(first, ...alone.slice(0, 1), ...others, ...alone.slice(1));
}

/** Returns true if a request has already been made with all of these parameters. */
export function isAlreadyRequested(query: NextQuery, { query: requested }: ListRequest): boolean {
  return Object.entries(query).every(([param, value]) => requested.get(param) === value);
}

/** The address of the next page: in an array of links, in a field for it, or in `next`. */
function findLink(metadata: readonly Metadata[]): string | undefined {
  for (const fields of metadata) {
    const url = findRelation(fields);
    if (url !== undefined) return url;
  }
  for (const name of [...URL_FIELDS, 'next']) {
    for (const fields of metadata) {
      const url = readUrl(fields.get(name)?.value, name !== 'next');
      // `?page=` beside `next: null` is the pattern of an address.
      const isPattern = /=\s*$/.test(url ?? '') && isNoCursor(fields.get('next')?.value);
      if (url !== undefined && !isPattern) return url;
    }
  }
  return undefined;
}

/** `links: [{rel: "next", href: …}]`, or `documents_links`. */
function findRelation(fields: Metadata): string | undefined {
  for (const [name, { value }] of fields) {
    if (!/links?$/.test(name) || !isLinkArray(value)) continue;
    const link = value.find((entry) => getRelations(entry).includes('next'));
    if (link) return getTextField(link, assumed.LINK_FIELDS);
  }
  return undefined;
}

function readUrl(value: unknown, isUrlField: boolean): string | undefined {
  // HAL allows several; the first one is as good as any.
  if (Array.isArray(value)) return isObject(value[0]) ? readUrl(value[0], isUrlField) : undefined;
  if (typeof value === 'string') return value !== '' && (isUrlField || mayBeUrl(value)) ? value : undefined;
  return isObject(value) ? getTextField(value, assumed.LINK_FIELDS) : undefined;
}

function findLinkInCursor(value: unknown): string | undefined {
  if (isObject(value)) return getTextField(value, assumed.LINK_FIELDS);
  const isUrl = typeof value === 'string' && /^\s*(?:https?:\/\/|\/\S*\?|\?[\w.[\]-]+=)/i.test(value);
  return isUrl ? value : undefined;
}

function getCursorSteps({ name, value }: MetadataField, params: readonly string[]): Step[] {
  if (isObject(value)) return getObjectSteps(name, value);
  const isList = Array.isArray(value) && !value.some((one) => typeof one === 'object' && one !== null);
  const cursor = parseCursor(isList ? value.join(',') : value);
  if (cursor === undefined) return [];
  const ordered = typeof value === 'number' && params.includes('page') ? ['page', ...params] : params;
  return getParamSpellings(name, ordered).map((param): Step => ({ by: 'cursor', query: { [param]: cursor } }));
}

/** `next: {page: 2}` names its own parameters; `cursor: {current, next}` is an object about pagination. */
function getObjectSteps(name: string, value: Readonly<Record<string, unknown>>): Step[] {
  if (PAGING_OBJECTS.has(normalizeName(name))) return [];
  const query = Object.entries(value).flatMap(([param, one]) => {
    const cursor = parseCursor(one);
    return cursor === undefined ? [] : [[param, cursor] as const];
  });
  return toGroups(query).map((group): Step => ({ by: 'cursor', query: Object.fromEntries(group) }));
}

/** The key of an entry instead of a text: `{"LastEvaluatedKey": {"id": {"S": "d57"}}}`. */
function isObjectKey({ value }: MetadataField, name: string): boolean {
  return /(?:key|token|cursor)$/.test(name) && isObject(value) && Object.values(value).some(isObject);
}
