import type { ZObject } from 'zapier-platform-core';
import { getTextFilters, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { type Client, getTextField, getTitle, type JsonObject, type SearchResult } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { normalizeText } from './normalize-text.ts';
import {
  collectItems,
  fetchPage,
  getReadItems,
  type ListFunction,
  type ListReading,
  listRecords,
  readRemainingPages,
  searchReading,
  tryWithQuery,
} from './read-list.ts';
import type { RecordKind } from './record-kind.ts';

interface RecordSearch {
  readonly text: string;
  readonly isMatch: (item: JsonObject) => boolean;
}

const FILTER_SUPPORT_TTL_S = 10 * 60;

/**
 * Finds matching records in the result of the service's filter, or else in the list.
 *
 * A filter's matches are trusted. An empty result counts only once the filter has found a known record, written in other
 * case; a service that ignores the filter returns the list itself.
 */
export async function searchRecords(
  kind: RecordKind,
  { client, z }: { client: Client; z: ZObject },
  search: RecordSearch,
): Promise<SearchResult<{ items: readonly JsonObject[] }>> {
  return searchReading(await readForSearch(kind, { client, z }, search), search.isMatch);
}

async function readForSearch(
  kind: RecordKind,
  { client, z }: { client: Client; z: ZObject },
  search: RecordSearch,
): Promise<ListReading> {
  const unfiltered = listRecords(kind, client);
  const filtered = await fetchFiltered(unfiltered, search.text);
  if (filtered === undefined) return collectItems(unfiltered);
  if (getReadItems(filtered).some(search.isMatch) || isFilterIgnored(filtered, search.text)) return filtered;
  const cache = createConnectionCache(z);
  const key = `filters-${kind.resource}${search.text.includes('@') ? '-email' : ''}`;
  if ((await cache.get(key).catch(() => null)) !== null) return filtered;
  const firstPage = await fetchPage(unfiltered);
  if (
    firstPage.items.length > 0 &&
    firstPage.cursor &&
    (await isFilterSupported(unfiltered, { items: firstPage.items, search }))
  ) {
    await cache.set(key, 1, FILTER_SUPPORT_TTL_S).catch(() => null);
    return filtered;
  }
  return readRemainingPages(unfiltered, firstPage);
}

/** Undefined if the service rejects the filter. */
function fetchFiltered(list: ListFunction, text: string): Promise<ListReading | undefined> {
  return tryWithQuery(list, getTextFilters(text), (filteredList) => collectItems(filteredList));
}

/** True if a record does not contain the text at all. */
function isFilterIgnored(reading: ListReading, text: string): boolean {
  return getReadItems(reading).some((item) => !normalizeText(JSON.stringify(item)).includes(normalizeText(text)));
}

/** Tries the filter with a known text of the same kind: a service may filter by name, but not by e-mail. */
async function isFilterSupported(
  list: ListFunction,
  { items, search }: { items: readonly JsonObject[]; search: RecordSearch },
): Promise<boolean> {
  const isEmail = search.text.includes('@');
  const getSearchText = (item: JsonObject) => (isEmail ? getTextField(item, RECORD_FIELDS.email) : getTitle(item));
  const names = items.flatMap((item) => getSearchText(item) ?? []);
  const name = names.find(
    (candidate) => names.filter((other) => normalizeText(other) === normalizeText(candidate)).length === 1,
  );
  if (name === undefined) return false;
  const found = await fetchFiltered(list, name.toUpperCase());
  if (found === undefined || isFilterIgnored(found, name)) return false;
  return getReadItems(found).some((item) => getSearchText(item) === name);
}
