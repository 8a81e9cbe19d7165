import type { ZObject } from 'zapier-platform-core';
import { getTextFilters, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { type Client, getTextField, getTitle, type JsonObject } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { normalizeText } from './normalize-text.ts';
import {
  type CollectedItems,
  collectItems,
  fetchPage,
  type ListFunction,
  readRemainingPages,
  tryWithQuery,
} from './read-list.ts';
import type { RecordKind } from './record-kind.ts';

interface RecordSearch {
  readonly text: string;
  readonly isMatch: (item: JsonObject) => boolean;
}

const FILTER_SUPPORT_TTL_S = 10 * 60;

/**
 * Candidates for a search: the result of the service's filter, or the list. Unless `complete`, the record may exist anyway.
 *
 * A filter's matches are trusted. An empty result counts only once the filter has found a known record, written in other
 * case; a service that ignores the filter returns the list itself.
 */
export async function searchRecords(
  kind: RecordKind,
  { client, z }: { client: Client; z: ZObject },
  search: RecordSearch,
): Promise<CollectedItems> {
  const unfiltered: ListFunction = (query, options) => kind.list(client, query, options);
  const filtered = await fetchFiltered(unfiltered, search.text);
  if (filtered === undefined) return collectItems(unfiltered);
  if (filtered.items.some(search.isMatch) || isFilterIgnored(filtered, search.text)) return filtered;
  const cache = createConnectionCache(z);
  const key = `filters-${kind.resource}${search.text.includes('@') ? '-email' : ''}`;
  if ((await cache.get(key).catch(() => null)) !== null) return filtered;
  const firstPage = await fetchPage(unfiltered);
  if (firstPage.items.length === 0 && !firstPage.cursor) return { items: [], complete: firstPage.complete };
  if (firstPage.cursor && (await isFilterSupported(unfiltered, { items: firstPage.items, search }))) {
    await cache.set(key, 1, FILTER_SUPPORT_TTL_S).catch(() => null);
    return filtered;
  }
  return readRemainingPages(unfiltered, firstPage);
}

/** Undefined if the service rejects the filter. */
function fetchFiltered(list: ListFunction, text: string): Promise<CollectedItems | undefined> {
  return tryWithQuery(list, getTextFilters(text), (filteredList) => collectItems(filteredList));
}

/** True if a record does not contain the text at all. */
function isFilterIgnored({ items }: CollectedItems, text: string): boolean {
  return items.some((item) => !normalizeText(JSON.stringify(item)).includes(normalizeText(text)));
}

/** Tries the filter with a known text of the same kind: a service may filter by name, but not by e-mail. */
async function isFilterSupported(
  list: ListFunction,
  { items, search }: { items: readonly JsonObject[]; search: RecordSearch },
): Promise<boolean> {
  const isEmail = search.text.includes('@');
  const getSearchText = (item: JsonObject) =>
    isEmail ? getTextField(item, RECORD_FIELDS.email) : getTitle(item);
  const names = items.flatMap((item) => getSearchText(item) ?? []);
  const name = names.find(
    (candidate) => names.filter((other) => normalizeText(other) === normalizeText(candidate)).length === 1,
  );
  if (name === undefined) return false;
  const found = await fetchFiltered(list, name.toUpperCase());
  return found?.items.some((item) => getSearchText(item) === name) === true && !isFilterIgnored(found, name);
}
