import type { Bundle, ZObject } from 'zapier-platform-core';
import { LIST_ORDERS } from '../../src/assumptions/index.ts';
import type { JsonObject } from '../platform/core.ts';
import { askPage, askWith, isNewestFirst, POLLED, type Walked, walk, walkOn } from '../records/pages.ts';
import { createLooks, getFirstPollTime, justNow, type Known } from './looks.ts';
import { goOnInTurn, LOOK, type Poll, readInTurn, STOCK } from './poll-changes.ts';
import { keepTail, readTail } from './tail.ts';

/** Newest entries that are remembered: some may be deleted until the next look. */
const REMEMBERED = 10;

/** A list as long as this is read whole each time; of a longer one that ends with the newest only the end. */
const MAX_FULL_READ_ITEMS = 400;

type Looks = ReturnType<typeof createLooks>;

/**
 * The entries that are new, among others. Where a list begins with the newest, or does when it is asked to, it is read to
 * those of the last look. Where it ends with them, looks go on from its end. A list in any other order is looked through
 * as one that changes. What was there before the Zap is never given on the way, for each would run it.
 */
export async function pollNewest(
  poll: Poll,
  { z, bundle }: { z: ZObject; bundle: Bundle },
): Promise<readonly JsonObject[]> {
  if (bundle.meta?.isLoadingSample === true) return fetchSamples(poll);
  const looks = createLooks(z, bundle, poll.trigger);
  const known = await looks.read();
  if (known?.mode === 'turns') return goOnInTurn(poll, known, looks);
  if (known?.mode === 'sorted') {
    const walked = await readSorted(poll, known, []);
    if (walked) return keepTop(poll, looks, { known, walked, mode: 'sorted' });
  }
  if (known?.mode === 'tail') {
    const walked = await readTail(poll, known);
    if (walked) return keepTail(poll, looks, { known, walked });
  }
  const first = await askPage(poll.list);
  if (!first.cursor || isNewestFirst(first.items, poll.getTime)) {
    const walked = await walkOn(poll.list, first, { enough: createStopCondition(poll, known) });
    return keepTop(poll, looks, { known, walked, mode: 'top' });
  }
  const sorted = await readSorted(poll, known, first.items);
  if (sorted) return keepTop(poll, looks, { known, walked: sorted, mode: 'sorted' });
  return takeStock(poll, looks, { known, walked: await walkOn(poll.list, first, known ? LOOK : STOCK) });
}

/** A list that does not begin with the newest, and can't be asked to. */
async function takeStock(
  poll: Poll,
  looks: Looks,
  { known = { since: justNow() }, walked }: { known: Known | undefined; walked: Walked },
): Promise<readonly JsonObject[]> {
  const { items, complete } = walked;
  const isOldestFirst = isNewestFirst(items.toReversed(), poll.getTime);
  if (!known.partial && complete && (items.length <= MAX_FULL_READ_ITEMS || !isOldestFirst)) {
    await looks.keep({ since: known.since });
    return items;
  }
  const isUndated = items.every((item) => poll.getTime(item) === undefined);
  return isOldestFirst || isUndated
    ? keepTail(poll, looks, { known, walked })
    : readInTurn(poll, looks, { known, walked });
}

/** Whether a look from the top has read to what the last one saw. */
function createStopCondition({ getId, getTime }: Poll, known: Known | undefined) {
  const { top, newest } = known ?? {};
  if (top === undefined) return (items: readonly JsonObject[]) => items.length >= POLLED;
  const isKnown = (item: JsonObject) =>
    top.includes(getId(item)) || (getTime(item) ?? '\uffff') < (newest ?? '');
  return (items: readonly JsonObject[]) => items.some(isKnown);
}

/** The list as the service sorts it, where that is seen to bring newer entries to its beginning. */
async function readSorted(
  poll: Poll,
  known: Known | undefined,
  plain: readonly JsonObject[],
): Promise<Walked | undefined> {
  const reached = createStopCondition(poll, known);
  // A first page in another order needs no second.
  const enough = (items: readonly JsonObject[]) => !isNewestFirst(items, poll.getTime) || reached(items);
  const sorted = await askWith(poll.list, LIST_ORDERS.created, (list) => walk(list, { enough }));
  const [first] = sorted?.items ?? [];
  if (!sorted || !first || !isNewestFirst(sorted.items, poll.getTime)) return undefined;
  const newest = poll.getTime(first) ?? '';
  return plain.every((item) => (poll.getTime(item) ?? '') <= newest) ? sorted : undefined;
}

async function keepTop(
  poll: Poll,
  looks: Looks,
  { known, walked, mode }: { known: Known | undefined; walked: Walked; mode: 'top' | 'sorted' },
): Promise<readonly JsonObject[]> {
  const { items, complete } = walked;
  const [first] = items;
  const newest = first && poll.getTime(first);
  const since = known?.since ?? getFirstPollTime(newest);
  await looks.keep({
    since,
    mode,
    top: items.slice(0, REMEMBERED).map(poll.getId),
    ...(newest === undefined ? {} : { newest }),
    ...(known?.partial || !complete ? { partial: true } : {}),
  });
  // Older ones come up where newer ones were deleted: the platform has not seen them, and they are no news.
  return known?.partial ? items.filter((item) => (poll.getTime(item) ?? since) >= since) : items;
}

/** Examples for the editor, the newest where they can be had in two requests. */
async function fetchSamples({ list, getTime }: Poll): Promise<readonly JsonObject[]> {
  const { items, onward } = await askPage(list);
  if (!onward || isNewestFirst(items, getTime)) return items;
  const sorted = await askWith(list, LIST_ORDERS.created, (own) => askPage(own));
  return sorted && isNewestFirst(sorted.items, getTime) ? sorted.items : items;
}
