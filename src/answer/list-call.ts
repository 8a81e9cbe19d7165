import { createHash } from 'node:crypto';
import { idOf, type JsonObject } from './fields.ts';
import type { NextQuery, Page } from './list.ts';
import type { Call } from './response-head.ts';

/**
 * A promise of one page that is also an iterator over the items of all pages. Lazy: the first page is asked for when
 * somebody waits for it or iterates, and only once.
 */
export type ListCall<Item> = Call<Page<Item>> &
  AsyncIterable<Item> & {
    /** The items of all pages, or the first `limit` of them; asks for no page beyond. */
    collect(limit?: number): Promise<Item[]>;
    /** Page by page. */
    pages(): AsyncIterable<Page<Item>>;
  };

/** Pages without items that may follow each other before the list counts as ended. */
const MOST_EMPTY_PAGES = 20;

export function createListCall(source: {
  firstPage: () => Call<Page<JsonObject>>;
  nextPage: (next: NextQuery) => Promise<Page<JsonObject>>;
}): ListCall<JsonObject> {
  let started: Call<Page<JsonObject>> | undefined;
  const first = () => {
    started ??= source.firstPage();
    return started;
  };

  /** Ends at a repeated cursor or page: a service that ignores the cursor answers the same page for ever. */
  async function* pages(): AsyncGenerator<Page<JsonObject>> {
    const seen = new Set<string>();
    let page = await first();
    for (let empty = 0; empty < MOST_EMPTY_PAGES; ) {
      if (page.items.length > 0 && !isNew(seen, printOf(page.items))) return;
      empty = page.items.length > 0 ? 0 : empty + 1;
      yield page;
      if (!page.next || !isNew(seen, JSON.stringify(page.next))) return;
      page = await source.nextPage(page.next);
    }
  }

  async function* items(): AsyncGenerator<JsonObject> {
    for await (const page of pages()) yield* page.items;
  }

  async function collect(limit = Number.POSITIVE_INFINITY): Promise<JsonObject[]> {
    const collected: JsonObject[] = [];
    if (!(limit > 0)) return collected;
    for await (const item of items()) {
      collected.push(item);
      if (collected.length >= limit) break;
    }
    return collected;
  }

  return Object.assign(
    {
      // biome-ignore lint/suspicious/noThenProperty: a list call is a promise that starts when somebody waits for it.
      then: ((ok, fail) => first().then(ok, fail)) as Promise<Page<JsonObject>>['then'],
      catch: ((fail) => first().catch(fail)) as Promise<Page<JsonObject>>['catch'],
      finally: ((done) => first().finally(done)) as Promise<Page<JsonObject>>['finally'],
      [Symbol.toStringTag]: 'Promise',
    },
    { withResponse: () => first().withResponse(), [Symbol.asyncIterator]: items, pages, collect },
  );
}

/** By ids where all items have one: other fields may change between two answers of the same page. */
function printOf(items: readonly JsonObject[]): string {
  const ids = items.map((item) => idOf(item));
  return createHash('sha256')
    .update(JSON.stringify(ids.includes(undefined) ? items : ids))
    .digest('base64');
}

function isNew(seen: Set<string>, print: string): boolean {
  if (seen.has(print)) return false;
  seen.add(print);
  return true;
}
