/** Reads a list page by page, and stops at a service that never ends. */
import { MISSING_PAGE_STATUSES, PAGE_REJECTED_STATUSES } from '../assumptions/index.ts';
import { ApiError } from '../errors.ts';
import type { JsonObject } from '../records/fields.ts';
import { createLastPage, type ListEnding, type Page, type ParsedPage } from './page.ts';
import type { PageCursor } from './page-cursor.ts';
import { describeMissingPage } from './page-error.ts';
import { endList, type FetchPage, type StepResult, trySteps, type WalkProgress } from './try-steps.ts';

/** Maximum number of pages in a row without a new entry; after that, the list is treated as endless. */
const MAX_IDLE_PAGES = 500;
/** Maximum number of unannounced pages without ids; after that, the end of the list is unknown. */
const MAX_GUESSED_PAGES = 1000;

/** The parts of a page that a walk needs. */
export type WalkedPage = Pick<ParsedPage, 'page' | 'count' | 'ids' | 'fingerprint'> &
  Partial<Pick<ParsedPage, 'signs'>>;

function startProgress({ overlapIds = [], fingerprint }: Partial<PageCursor> = {}): WalkProgress {
  return {
    ids: new Set(),
    overlapIds: new Set(overlapIds),
    fingerprints: new Set(fingerprint === undefined ? [] : [fingerprint]),
    reachedQueries: new Set(),
    idle: 0,
  };
}

/** Yields the pages of a list from `first` on, each without earlier entries; the last one says whether that is all. */
export async function* walkPages(first: WalkedPage, fetchPage: FetchPage): AsyncGenerator<Page<JsonObject>> {
  const progress = startProgress();
  let read = first;
  for (let guessed = 0; ; ) {
    const { page, ids } = read;
    remember(read, progress);
    if (!page.cursor) return yield page;
    const ending = progress.idle > 0 ? findEnding(read, progress) : undefined;
    if (ending) return yield createLastPage(page, ending);
    if (!ids && !page.cursor.explicit) guessed += 1;
    if (guessed > MAX_GUESSED_PAGES)
      return yield createLastPage(page, {
        reason: `${MAX_GUESSED_PAGES} pages were read, and no response says where the list ends`,
      });
    yield page;
    const next = await fetchNext(page.cursor, fetchPage, progress);
    if (next.kind === 'end') {
      if (!next.page.complete) yield next.page;
      return;
    }
    read = next.read;
  }
}

function remember({ page, count, ids, fingerprint }: WalkedPage, progress: WalkProgress): void {
  const isIdle = page.items.length === 0 || (!ids && progress.fingerprints.has(fingerprint));
  progress.idle = isIdle ? progress.idle + 1 : 0;
  for (const id of ids ?? []) progress.ids.add(id);
  if (count > 0) progress.fingerprints.add(fingerprint);
}

/** Returns why a page without new entries is the last one, if it is; without a reason if the list has simply ended. */
function findEnding(
  { page: { cursor }, count, signs }: WalkedPage,
  { idle, reachedQueries }: WalkProgress,
): ListEnding | undefined {
  // Some services name a next page forever, even after the last entry.
  const isCounted = cursor?.total !== undefined && cursor.read === cursor.total;
  const isLast = signs?.pages !== undefined && signs.page !== undefined && signs.page.at >= signs.pages;
  if (isCounted || isLast) return {};
  if (idle > MAX_IDLE_PAGES) return { reason: `${MAX_IDLE_PAGES} pages in a row contained no new entries` };
  if (!reachedQueries.has(JSON.stringify(cursor?.steps[0]?.query))) return undefined;
  // Some services mark the end with an empty page that leads to itself.
  const isUnread = cursor?.total !== undefined && (cursor.read ?? 0) < cursor.total;
  return count === 0 && signs?.more !== true && !isUnread
    ? {}
    : { reason: 'the service returned the same cursor again and no new entries' };
}

/** Returns the page after a cursor, for a walk that begins there. */
export async function readPageAt(cursor: PageCursor, fetchPage: FetchPage): Promise<WalkedPage> {
  const progress = startProgress(cursor);
  // A rejected cursor may have expired: then the service's error is for the caller who passed it.
  const next = await fetchNext(cursor, fetchPage, progress, MISSING_PAGE_STATUSES);
  if (next.kind === 'end') return { page: next.page, count: 0, ids: [], fingerprint: '' };
  const { read } = next;
  const ending = read.count === 0 ? findEnding(read, { ...progress, idle: 1 }) : undefined;
  return ending ? { ...read, page: createLastPage(read.page, ending) } : read;
}

/** Returns the page after a cursor, or an empty last page that says how the list ended. */
async function fetchNext(
  cursor: PageCursor,
  fetchPage: FetchPage,
  progress: WalkProgress,
  endings: readonly number[] = PAGE_REJECTED_STATUSES,
): Promise<StepResult> {
  try {
    return await trySteps(cursor, fetchPage, progress);
  } catch (error) {
    if (!(error instanceof ApiError && endings.includes(error.status))) throw error;
    return endList(cursor, { reason: describeMissingPage(error), error });
  }
}
