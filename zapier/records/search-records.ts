import { getTextFilters, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import {
  type Client,
  getTextField,
  getTitle,
  InputError,
  idOf,
  type JsonObject,
  PermissionError,
  type SearchResult,
} from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import type { ClientStep } from '../platform/with-client.ts';
import { mayBeUnknownId } from '../platform/zapier-errors.ts';
import { continueSearch, type ListSearch } from './continue-search.ts';
import { normalizeText, stripAccents } from './normalize-text.ts';
import {
  distinctById,
  fetchPage,
  getListFunction,
  type ListFunction,
  type ListReading,
  type ReadLimits,
  readPages,
  readRemainingPages,
  SEARCH_LIMITS,
  throwIncompleteList,
  tryWithQuery,
} from './read-list.ts';
import { getRecordId, type RecordKind } from './record-kind.ts';

const FILTER_SUPPORT_TTL_S = 10 * 60;

/**
 * Finds matching records in the result of the service's filter, or else in the list.
 *
 * A filter's matches are trusted. An empty result counts only once the filter has found a known record, written in other
 * case; a service that ignores the filter returns the list itself.
 * @throws ThrottledError if the list is longer than one run can read: the replay continues at that place.
 * @throws IncompleteListError if it can't continue: after "not found", a Zap may create a duplicate.
 */
export async function searchRecords(
  kind: RecordKind,
  step: ClientStep,
  options: ListSearch,
): Promise<readonly JsonObject[]> {
  const search = { ...options, isMatch: memoizeByItem(options.isMatch) };
  const list = getListFunction(kind, step.client);
  const start = () => readForSearch(kind, step, search);
  const found = requireSearched(kind, await continueSearch(kind, step, { ...search, list, start }));
  return distinctById(found?.items ?? [], (item) => getRecordId(kind, item));
}

/** Returns what a search found; undefined if there is nothing. @throws IncompleteListError if that is not known. */
export function requireSearched<Found extends object>(
  { resource }: RecordKind,
  result: SearchResult<Found>,
): Found | undefined {
  if (result.kind === 'not-fully-searched') throwIncompleteList(`${resource}s.list`, result);
  return result.kind === 'found' ? result : undefined;
}

/** Compares each item only once, because a search looks through everything read so far after each page. */
function memoizeByItem(isMatch: (item: JsonObject) => boolean): (item: JsonObject) => boolean {
  const results = new WeakMap<JsonObject, boolean>();
  return (item) => {
    const result = results.get(item) ?? isMatch(item);
    results.set(item, result);
    return result;
  };
}

/** Finds a record by its ID, with one request if the API has one for it (§4). @throws ThrottledError like `searchRecords`. */
export async function findById(
  kind: RecordKind,
  step: ClientStep,
  id: string,
): Promise<SearchResult<{ item: JsonObject }>> {
  const single = await fetchById(kind, step.client, id);
  if (single) return { kind: 'found', item: single };
  const isMatch = (item: JsonObject) => idOf(item, kind.resource) === id;
  const isEnough = (items: readonly JsonObject[]) => items.some(isMatch);
  const list = getListFunction(kind, step.client);
  const start = () => readPages(list, { ...SEARCH_LIMITS, isEnough });
  const result = await continueSearch(kind, step, { list, text: id, variant: 'id', isMatch, isEnough, start });
  if (result.kind !== 'found') return result;
  const [item = {}] = result.items;
  return { kind: 'found', item };
}

/**
 * Like `findById`, for callers that can do without the record: a list that can't be read counts as not searched.
 * @throws ThrottledError like `searchRecords`.
 */
export async function findIfReadable(
  kind: RecordKind,
  step: ClientStep,
  id: string,
): Promise<SearchResult<{ item: JsonObject }>> {
  return findById(kind, step, id).catch((error: unknown) => {
    if (error instanceof step.z.errors.ThrottledError) throw error;
    return { kind: 'not-fully-searched', reason: 'the list could not be read', read: 0 };
  });
}

/** Finds a record that a step names by its ID. @throws InputError if there is none, and like `findById`. */
export async function findRecord(kind: RecordKind, step: ClientStep, id: string): Promise<JsonObject> {
  const found = requireSearched(kind, await findById(kind, step, id));
  if (found) return found.item;
  throw new InputError(
    `This ${kind.resource} was not found. Choose it from the list, or map its ID from an earlier step.`,
  );
}

/** Undefined for a text that is not an ID of this kind, and if the API has no call for one record (§4). */
export async function fetchById(kind: RecordKind, client: Client, id: string): Promise<JsonObject | undefined> {
  if (kind.resource !== 'document' && kind.resource !== 'template') return undefined;
  try {
    const item = await client[`${kind.resource}s`].get({ id });
    return idOf(item, kind.resource) === id ? item : undefined;
  } catch (error) {
    if (mayBeUnknownId(error) || error instanceof PermissionError) return undefined;
    throw error;
  }
}

async function readForSearch(kind: RecordKind, { client, z }: ClientStep, search: ListSearch): Promise<ListReading> {
  const isEnough = (items: readonly JsonObject[]) => search.isEnough?.(items.filter(search.isMatch)) ?? false;
  const limits = { ...SEARCH_LIMITS, isEnough };
  const unfiltered = getListFunction(kind, client);
  let filtered: ListReading = { kind: 'whole', readItems: [] };
  for (const text of getSpellings(search.text)) {
    const reading = await fetchFiltered(unfiltered, { text, limits });
    if (reading === undefined) return readPages(unfiltered, limits);
    filtered = reading;
    if (filtered.readItems.some(search.isMatch) || isFilterIgnored(filtered, text)) return filtered;
    if (filtered.kind === 'part') break;
  }
  // A filter looks at names: an ID or a URL that it does not find may exist.
  if (/[\d/_]/.test(search.text) && !/[\s@]/.test(search.text)) return readPages(unfiltered, limits);
  const cache = createConnectionCache(z);
  const subject = search.text.includes('@') ? 'email' : search.isPartial ? 'part' : 'name';
  const key = `filters-${kind.resource}-${subject}`;
  if ((await cache.get(key)) !== null) return filtered;
  const firstPage = await fetchPage(unfiltered);
  if (
    firstPage.items.length > 0 &&
    firstPage.cursor &&
    (await isFilterSupported(unfiltered, { items: firstPage.items, search }))
  ) {
    await cache.set(key, 1, FILTER_SUPPORT_TTL_S);
    return filtered;
  }
  return readRemainingPages(unfiltered, firstPage, limits);
}

/** A filter may compare a text literally, so it is also tried with single spaces, composed and without accents. */
function getSpellings(text: string): ReadonlySet<string> {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ');
  return new Set([text, plain, plain.normalize('NFD'), stripAccents(plain)]);
}

/** Undefined if the service rejects the filter. */
function fetchFiltered(
  list: ListFunction,
  { text, limits }: { text: string; limits?: ReadLimits },
): Promise<ListReading | undefined> {
  return tryWithQuery(list, getTextFilters(text), (filteredList) => readPages(filteredList, limits));
}

/** True if a record does not contain the text at all. */
function isFilterIgnored(reading: ListReading, text: string): boolean {
  return reading.readItems.some((item) => !normalizeText(JSON.stringify(item)).includes(normalizeText(text)));
}

/** Tries the filter with a known text of the same kind: a service may filter by name, but not by e-mail. */
async function isFilterSupported(
  list: ListFunction,
  { items, search }: { items: readonly JsonObject[]; search: ListSearch },
): Promise<boolean> {
  const isEmail = search.text.includes('@');
  const getSearchText = (item: JsonObject) => (isEmail ? getTextField(item, RECORD_FIELDS.email) : getTitle(item));
  const names = items.flatMap((item) => getSearchText(item) ?? []);
  const unique = names.filter(
    (candidate) => names.filter((other) => normalizeText(other) === normalizeText(candidate)).length === 1,
  );
  const probes = unique.flatMap((name) => {
    const plain = isEmail ? name : normalizeText(name);
    const text = writeInOtherCase(name, search.isPartial ? plain.slice(1, -1).trim() : plain, search.text);
    return text === undefined ? [] : [{ name, text }];
  });
  // A name with accents also shows whether the filter ignores them.
  const probe = probes.find(({ name }) => normalizeText(name) !== name.toLowerCase()) ?? probes[0];
  if (probe === undefined) return false;
  const found = await fetchFiltered(list, { text: probe.text });
  if (found === undefined || isFilterIgnored(found, probe.text)) return false;
  return found.readItems.some((item) => getSearchText(item) === probe.name);
}

/** Writes a part of a name in another case. Undefined if there is none; a search for a text without case needs none. */
function writeInOtherCase(name: string, part: string, searched: string): string | undefined {
  const [upper, lower] = [part.toUpperCase(), part.toLowerCase()];
  if (searched.toUpperCase() === searched.toLowerCase()) return part || undefined;
  return upper === lower ? undefined : [upper, lower].find((text) => !name.includes(text));
}
