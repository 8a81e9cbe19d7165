import type { JsonObject } from '../../src/answer/fields.ts';
import { MAX_PAGE_SIZE } from '../../src/assumptions/index.ts';
import { RateLimitError, ServerError } from '../../src/errors.ts';
import type { Page, PageCursor } from '../../src/index.ts';
import type { Filter } from './filter.ts';
import { isRefusedQuery, isSamePage, type ListSource } from './heeded.ts';
import { withoutSecrets } from './secrets.ts';

/** Who narrows: the service, or this server by reading pages. */
export type By = 'service' | 'reading';

/** Where a reading stands: a page, and how many of its items are done. */
export interface Spot {
  readonly query: JsonObject;
  readonly from: PageCursor | undefined;
  readonly skip: number;
  readonly by: By;
  /** Items looked at before; undefined where the list was not read from its beginning. */
  readonly read: number | undefined;
}

export interface Bounds {
  readonly pages: number;
  readonly timeMs: number;
  /** False: the item has no room, and the reading goes on with it another time. */
  readonly take: (item: JsonObject) => boolean;
  /** Asked before each further page: waiting for the service's limit is worth no search. */
  readonly mayAsk: () => boolean;
  readonly onPage?: (read: number, total: number | undefined) => void;
}

export interface Found {
  readonly by: By;
  readonly read: number;
  /** Whether the list was read from its beginning to its end. */
  readonly all: boolean;
  /** Items left out because they carry no time. */
  readonly undated: number;
  readonly next?: Spot;
  /** Why the service does not give the rest. */
  readonly gap?: string;
  /** What ended the reading before its bounds. */
  readonly failure?: unknown;
  readonly first: { readonly page: Page<JsonObject>; readonly query: JsonObject };
}

/** Hands the fitting items to `take`, page by page within bounds; throws only where the first page fails. */
export async function readFiltered(
  source: ListSource,
  { filter, query, spot, bounds }: { filter: Filter; query: JsonObject; spot?: Spot; bounds: Bounds },
): Promise<Found> {
  const until = Date.now() + bounds.timeMs;
  const start = spot
    ? { ...spot, page: await source.fetch(spot.query, spot.from) }
    : await beginReading(source, { filter, query });
  const { by } = start;
  const first = { page: start.page, query: start.query };
  let { page, from, skip } = start;
  let [read, undated] = [0, 0];
  const sum = () => (start.read ?? 0) + read;
  const at = (place: { from: PageCursor | undefined; skip: number }): Spot => ({
    ...{ query: start.query, by },
    ...place,
    read: start.read === undefined ? undefined : sum(),
  });
  const ended = (rest: Pick<Found, 'next' | 'gap' | 'failure'>, all = false): Found => ({
    ...{ by, undated, first, all },
    read: sum(),
    ...rest,
  });

  for (let pages = 1; ; pages += 1) {
    for (const [index, item] of page.items.entries()) {
      if (index < skip) continue;
      // What an answer hides must not be found by guessing either.
      const clean = withoutSecrets(item, []) as JsonObject;
      const fits = filter.fits(clean);
      if (fits && !bounds.take(clean)) return ended({ next: at({ from, skip: index }) });
      read += 1;
      if (fits === undefined) undated += 1;
    }
    bounds.onPage?.(sum(), page.total);
    const { cursor, complete, incompleteReason } = page;
    if (!cursor)
      return ended(incompleteReason === undefined ? {} : { gap }, complete && start.read !== undefined);
    [from, skip] = [cursor, 0];
    const next = at({ from, skip });
    if (pages >= bounds.pages || Date.now() > until || !bounds.mayAsk()) return ended({ next });
    try {
      page = await source.fetch(start.query, cursor);
    } catch (failure) {
      return ended({ next, failure });
    }
  }
}

interface Start extends Spot {
  readonly page: Page<JsonObject>;
}

/**
 * The first page: as it is where it is the whole list, else narrowed by the service where that is seen to heed it. One
 * extra request at most, and none while it is remembered.
 */
async function beginReading(
  source: ListSource,
  { filter, query }: { filter: Filter; query: JsonObject },
): Promise<Start> {
  const { operation, habits } = source;
  const subject = `${operation} filter ${Object.keys(filter.wanted).sort().join(' ')}`;
  const start = { from: undefined, skip: 0, read: 0 };
  const known = habits.get(subject);
  if (known === 'heeds') {
    const narrowed = { ...filter.params, ...largePages(source, query) };
    const page = await unlessRefused(source.fetch(narrowed));
    const heeds = page?.items.every((item) => filter.fits(item) === true) === true;
    if (!heeds) habits.set(subject, 'ignores');
    if (page) return { ...start, page, query: narrowed, by: heeds ? 'service' : 'reading' };
  }
  const { page, asked } = await firstPage(source, query);
  const plain: Start = { ...start, page, query: asked, by: 'reading' };
  if (!page.cursor || known !== undefined) return plain;
  const narrowed = { ...filter.params, ...asked };
  // A service may also fail over what it does not know: the plain page is good all the same.
  const tried = await source.fetch(narrowed).catch((error: unknown) => {
    if (isRefusedQuery(error) || error instanceof ServerError) return undefined;
    return error instanceof RateLimitError ? page : Promise.reject(error);
  });
  const heeds = tried && (tried === page ? undefined : doesHeed({ plain: page, tried, filter }));
  // An empty answer proves nothing: it may be that of a service that looks elsewhere.
  if (heeds !== undefined || !tried) habits.set(subject, heeds ? 'heeds' : 'ignores');
  return heeds ? { ...start, page: tried, query: narrowed, by: 'service' } : plain;
}

/** Whether a service narrowed as it was asked to; undefined where its answer does not tell. */
function doesHeed(pages: {
  plain: Page<JsonObject>;
  tried: Page<JsonObject>;
  filter: Filter;
}): boolean | undefined {
  const { plain, tried, filter } = pages;
  // Where all fits, any answer would: also that of a service whose list changes by itself.
  if (plain.items.every((item) => filter.fits(item) === true)) return undefined;
  if (isSamePage(plain, tried)) return false;
  if (!tried.items.every((item) => filter.fits(item) === true)) return false;
  const expected = plain.items.filter((item) => filter.fits(item) === true);
  const known = new Set(tried.items.map((item) => JSON.stringify(item)));
  const missed = !tried.cursor && expected.some((item) => !known.has(JSON.stringify(item)));
  if (missed) return false;
  return tried.items.length > 0 ? true : undefined;
}

async function unlessRefused(asked: Promise<Page<JsonObject>>): Promise<Page<JsonObject> | undefined> {
  return asked.catch((error: unknown) => {
    if (isRefusedQuery(error)) return undefined;
    throw error;
  });
}

async function firstPage(source: ListSource, query: JsonObject) {
  const asked = largePages(source, query);
  try {
    return { page: await source.fetch(asked), asked };
  } catch (error) {
    if (!isRefusedQuery(error) || asked === query) throw error;
    const page = await source.fetch(query);
    source.habits.set(`${source.operation} large pages`, 'refused');
    return { page, asked: query };
  }
}

function largePages({ operation, habits, getPageSizeQuery }: ListSource, query: JsonObject): JsonObject {
  if (habits.get(`${operation} large pages`) === 'refused') return query;
  return { ...getPageSizeQuery(MAX_PAGE_SIZE), ...query };
}
