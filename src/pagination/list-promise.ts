import { DocshareError, IncompleteListError, InputError } from '../errors.ts';
import type { JsonObject } from '../records/fields.ts';
import type { ApiPromise } from '../response/response-head.ts';
import type { Page } from './page.ts';
import { isPageCursor, type PageCursor } from './page-cursor.ts';
import type { FetchPage } from './try-steps.ts';
import { readPageAt, type WalkedPage, walkPages } from './walk.ts';

/**
 * A promise of one page that is also an iterator over the items of all pages. Lazy: the first page is requested only
 * once, when the promise is awaited or iterated.
 *
 * If the service announces more items than can be read, all methods that read the whole list throw an
 * IncompleteListError after the last readable item, unless the option `incomplete` is `accept`.
 */
export type ListPromise<Item> = ApiPromise<Page<Item>> &
  AsyncIterable<Item> & {
    /** Returns the items of all pages, or the first `limit` of them; requests no page beyond. */
    collect(limit?: number): Promise<Item[]>;
    /** Yields page by page, without the items that an earlier page had. */
    pages(): AsyncIterable<Page<Item>>;
  };

export interface ListOptions {
  /** Behavior if a list can't be read to its end: an IncompleteListError (`throw`, the default) or nothing. */
  readonly incomplete?: 'throw' | 'accept' | undefined;
  /** Position to continue from: `cursor` of the last page read, also of another process. */
  readonly cursor?: PageCursor | undefined;
}

export function createListPromise(source: {
  readonly name: string;
  readonly options: ListOptions;
  readonly fetchPage: FetchPage;
  /** Throws an error whose stack leads to the caller's line. */
  readonly fail: (error: IncompleteListError) => Promise<never>;
  /** Makes the first request and stores its response head. `wanted`: number of entries that will be read, if known. */
  readonly begin: (
    first: (fetchPage: FetchPage) => Promise<WalkedPage>,
    wanted: number | undefined,
  ) => ApiPromise<WalkedPage>;
}): ListPromise<JsonObject> {
  const { name, options, fetchPage } = source;
  let started: ApiPromise<WalkedPage> | undefined;
  const first = (wanted?: number) => {
    started ??= source.begin((fetchFirst) => readFirstPage(fetchFirst, options.cursor), wanted);
    return started;
  };
  const page = () => first().then((read) => read.page);

  async function* pages(wanted = Number.POSITIVE_INFINITY): AsyncGenerator<Page<JsonObject>> {
    let read = options.cursor?.read ?? 0;
    for await (const page of walkPages(await first(wanted), fetchPage)) {
      read += page.items.length;
      yield page;
      if (page.complete || options.incomplete === 'accept') continue;
      const { incompleteReason: reason, total, error: cause } = page;
      await source.fail(new IncompleteListError({ operation: name, reason, itemsRead: read, total, cause }));
    }
  }

  async function* items(wanted?: number): AsyncGenerator<JsonObject> {
    for await (const { items } of pages(wanted)) yield* items;
  }

  async function collect(limit = Number.POSITIVE_INFINITY): Promise<JsonObject[]> {
    const collected: JsonObject[] = [];
    if (limit !== Number.POSITIVE_INFINITY && !(Number.isInteger(limit) && limit >= 0))
      throw new InputError('collect: pass the number of items as a whole number.');
    if (limit === 0) return collected;
    try {
      for await (const item of items(limit)) {
        collected.push(item);
        if (collected.length >= limit) break;
      }
    } catch (error) {
      if (error instanceof DocshareError)
        Object.defineProperty(error, 'items', { value: collected, enumerable: false, configurable: true });
      throw error;
    }
    return collected;
  }

  return Object.assign(
    {
      // biome-ignore lint/suspicious/noThenProperty: a list call is a promise that starts when it is awaited.
      then: ((ok, fail) => page().then(ok, fail)) as Promise<Page<JsonObject>>['then'],
      catch: ((fail) => page().catch(fail)) as Promise<Page<JsonObject>>['catch'],
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

/** Returns the page after `from`, with the same guards as within one walk. */
async function readFirstPage(fetchPage: FetchPage, from: PageCursor | undefined): Promise<WalkedPage> {
  if (!from) return fetchPage();
  if (!isPageCursor(from))
    throw new InputError(
      'from: pass the `cursor` of a page of this list, unchanged. A cursor of an earlier version of this client is not valid: read the list from its beginning.',
    );
  return readPageAt(from, fetchPage);
}
