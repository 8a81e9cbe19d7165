import type { ZObject } from 'zapier-platform-core';
import { getTextFilters, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { createMemory } from '../platform/cache.ts';
import { type Client, getTextField, getTitle, type JsonObject } from '../platform/core.ts';
import { fold } from './fold.ts';
import { askPage, askWith, type Collected, collect, type List, walkOn } from './pages.ts';
import type { RecordKind } from './record.ts';

interface Wanted {
  /** As a person wrote it. */
  readonly text: string;
  readonly isHit: (item: JsonObject) => boolean;
}

/** As long as a service hardly changes what it heeds. */
const PROVEN_SECONDS = 10 * 60;

/**
 * What a search has to look through: what the service's own filter gives, else its list. `complete` is false where the
 * record may exist all the same.
 *
 * A filter is believed when it finds something. That it finds nothing counts only after it was seen to find a record
 * that is known, in other letters; and a service that ignores it has answered with the list itself.
 */
export async function lookUp(
  kind: RecordKind,
  { client, z }: { client: Client; z: ZObject },
  wanted: Wanted,
): Promise<Collected> {
  const plain: List = (query, options) => kind.list(client, query, options);
  const filtered = await askFilter(plain, wanted.text);
  if (filtered === undefined) return collect(plain);
  if (filtered.items.some(wanted.isHit) || isIgnored(filtered, wanted.text)) return filtered;
  const memory = createMemory(z);
  const key = `filters-${kind.resource}${wanted.text.includes('@') ? '-email' : ''}`;
  if ((await memory.read(key).catch(() => null)) !== null) return filtered;
  const first = await askPage(plain);
  if (first.items.length === 0 && !first.cursor) return { items: [], complete: first.complete };
  if (first.cursor && (await isProven(plain, { items: first.items, wanted }))) {
    await memory.keep(key, 1, PROVEN_SECONDS).catch(() => null);
    return filtered;
  }
  return walkOn(plain, first);
}

/** Undefined where the service refuses a filter. */
function askFilter(list: List, text: string): Promise<Collected | undefined> {
  return askWith(list, getTextFilters(text), (own) => collect(own));
}

/** Whether an answer has records without a trace of the text: then nothing was filtered. */
function isIgnored({ items }: Collected, text: string): boolean {
  return items.some((item) => !fold(JSON.stringify(item)).includes(fold(text)));
}

/** Seen by a text of the same kind: what is heeded for a name may not be for an address. */
async function isProven(
  list: List,
  { items, wanted }: { items: readonly JsonObject[]; wanted: Wanted },
): Promise<boolean> {
  const isAddress = wanted.text.includes('@');
  const getSearchText = (item: JsonObject) =>
    isAddress ? getTextField(item, RECORD_FIELDS.email) : getTitle(item);
  const names = items.flatMap((item) => getSearchText(item) ?? []);
  const name = names.find((one) => names.filter((other) => fold(other) === fold(one)).length === 1);
  if (name === undefined) return false;
  const found = await askFilter(list, name.toUpperCase());
  return found?.items.some((item) => getSearchText(item) === name) === true && !isIgnored(found, name);
}
