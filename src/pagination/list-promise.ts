import { IncompleteListError, InputError } from '../errors.ts';
import type { JsonObject } from '../records/fields.ts';
import type { ApiPromise } from '../response/response-head.ts';
import { type PageFetcher, resumeList, type WalkedPage, walkList } from './iterate.ts';
import { isPageCursor, type PageCursor } from './next-page.ts';
import type { Page } from './page.ts';

/**
 * A promise of one page that is also an iterator over the items of all pages. Lazy: the first page is asked for when
 * somebody waits for it or iterates, and only once.
 *
 * Whatever reads all pages throws an IncompleteListError behind the last item it could read where the service says that
 * more exists, unless the option `incomplete` accepts it.
 */
export type ListPromise<Item> = ApiPromise<Page<Item>> &
  AsyncIterable<Item> & {
    /** The items of all pages, or the first `limit` of them; asks for no page beyond. */
    collect(limit?: number): Promise<Item[]>;
    /** Page by page. An item that an earlier page had is left out. */
    pages(): AsyncIterable<Page<Item>>;
  };

export interface ListOptions {
  /** What happens where a list can't be read to its end: an IncompleteListError (`throw`, the default) or nothing. */
  readonly incomplete?: 'throw' | 'accept' | undefined;
  /** Where to go on: `onward` of the last page read, also of another process. */
  readonly cursor?: PageCursor | undefined;
}

export function createListPromise(source: {
  readonly name: string;
  readonly options: ListOptions;
  readonly fetchPage: PageFetcher;
  /** Throws an error so that it leads to the caller's line. */
  readonly rejectWith: (error: IncompleteListError) => Promise<never>;
  /** Runs the first call and keeps the head of its answer; `wanted` entries are to be read in all, where that is known. */
  readonly startFirst: (
    first: (fetchPage: PageFetcher) => Promise<WalkedPage>,
    maxItems: number | undefined,
  ) => ApiPromise<WalkedPage>;
}): ListPromise<JsonObject> {
  const { name, options, fetchPage } = source;
  let started: ApiPromise<WalkedPage> | undefined;
  const first = (maxItems?: number) => {
    started ??= source.startFirst((seen) => firstPage(seen, options.cursor), maxItems);
    return started;
  };
  const page = () => first().then((read) => read.page);

  async function* pages(maxItems = Number.POSITIVE_INFINITY): AsyncGenerator<Page<JsonObject>> {
    let read = options.cursor?.read ?? 0;
    for await (const page of walkList(await first(maxItems), fetchPage)) {
      read += page.items.length;
      yield page;
      if (page.complete || options.incomplete === 'accept') continue;
      const { incompleteReason: reason = '', total, error: cause } = page;
      await source.rejectWith(
        new IncompleteListError({ operation: name, reason, itemsRead: read, total, cause }),
      );
    }
  }

  async function* items(maxItems?: number): AsyncGenerator<JsonObject> {
    for await (const { items } of pages(maxItems)) yield* items;
  }

  async function collect(limit = Number.POSITIVE_INFINITY): Promise<JsonObject[]> {
    const collected: JsonObject[] = [];
    if (limit !== Number.POSITIVE_INFINITY && !(Number.isInteger(limit) && limit >= 0))
      throw new InputError('collect: pass how many items are wanted, as a whole number.');
    if (limit === 0) return collected;
    try {
      for await (const item of items(limit)) {
        collected.push(item);
        if (collected.length >= limit) break;
      }
    } catch (error) {
      if (!(error instanceof IncompleteListError)) throw error;
      const { operation, reason, itemsRead, total, cause } = error;
      await source.rejectWith(
        new IncompleteListError({ operation, reason, itemsRead, total, cause, items: collected }),
      );
    }
    return collected;
  }

  return Object.assign(
    {
      // biome-ignore lint/suspicious/noThenProperty: a list call is a promise that starts when somebody waits for it.
      then: ((ok, rejectWith) => page().then(ok, rejectWith)) as Promise<Page<JsonObject>>['then'],
      catch: ((rejectWith) => page().catch(rejectWith)) as Promise<Page<JsonObject>>['catch'],
      finally: ((done) => page().finally(done)) as Promise<Page<JsonObject>>['finally'],
      [Symbol.toStringTag]: 'Promise',
    },
    {
      withResponse: async () => {
        const { data, response } = await first().withResponse();
        return { data: data.page, response };
      },
      [Symbol.asyncIterator]: () => items(),
      pages: () => pages(),
      collect,
    },
  );
}

/** The page behind `from`, with the same guards as within one walk. */
async function firstPage(ask: PageFetcher, from: PageCursor | undefined): Promise<WalkedPage> {
  if (!from) return ask();
  if (!isPageCursor(from))
    throw new InputError('from: pass `onward` of a page of this list, as it was given.');
  return resumeList(from, ask);
}
