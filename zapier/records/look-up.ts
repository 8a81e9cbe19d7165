import { listFilters } from '../../src/assumptions/index.ts';
import { ApiError, type Client, type JsonObject, titleOf } from '../platform/core.ts';
import { fold } from './fold.ts';
import { askPage, type Collected, collect } from './pages.ts';
import type { RecordKind } from './record.ts';

interface Wanted {
  /** As a person wrote it. */
  readonly text: string;
  readonly isHit: (item: JsonObject) => boolean;
}

/**
 * What a search has to look through: what the service's own filter gives, else its list. `complete` is false where the
 * record may exist all the same.
 *
 * A filter is believed when it finds something. That it finds nothing counts only after it was seen to find a record
 * that is known, in other letters; and a service that ignores it has answered with the list itself.
 */
export async function lookUp(kind: RecordKind, client: Client, wanted: Wanted): Promise<Collected> {
  const plain: Parameters<typeof collect>[0] = (query, options) => kind.list(client, query, options);
  const filtered = await askFilter(kind, client, wanted.text);
  if (filtered === undefined) return collect(plain);
  if (filtered.items.some(wanted.isHit) || isIgnored(filtered, wanted.text)) return filtered;
  const first = await askPage(plain);
  if (first.items.length === 0) return { items: [], complete: first.complete };
  if (first.onward && (await isProven(kind, client, first.items))) return filtered;
  return collect(plain);
}

/** Undefined where the service refuses a filter. */
async function askFilter(kind: RecordKind, client: Client, text: string): Promise<Collected | undefined> {
  const filter = listFilters(text);
  try {
    return await collect((query, options) => kind.list(client, { ...filter, ...query }, options));
  } catch (error) {
    if (error instanceof ApiError && (error.status === 400 || error.status === 422)) return undefined;
    throw error;
  }
}

/** Whether an answer has records without a trace of the text: then nothing was filtered. */
function isIgnored({ items }: Collected, text: string): boolean {
  return items.some((item) => !fold(JSON.stringify(item)).includes(fold(text)));
}

async function isProven(kind: RecordKind, client: Client, items: readonly JsonObject[]): Promise<boolean> {
  const names = items.flatMap((item) => titleOf(item) ?? []);
  const name = names.find((one) => names.filter((other) => fold(other) === fold(one)).length === 1);
  if (name === undefined) return false;
  const found = await askFilter(kind, client, name.toUpperCase());
  return found?.items.some((item) => titleOf(item) === name) === true && !isIgnored(found, name);
}
