import type { Bundle, ZObject } from 'zapier-platform-core';
import { LIST_ORDERS } from '../../src/assumptions/index.ts';
import { createdAtOf, IncompleteListError, type JsonObject } from '../platform/core.ts';
import {
  askPage,
  askWith,
  isNewestFirst,
  isPlaceGone,
  type List,
  type Walked,
  walk,
  walkOn,
} from '../records/pages.ts';
import { createLooks, createSeen, getFirstPollTime, justNow, type Known, type Reading } from './looks.ts';

/** Pages of the look that takes stock: nearly all that a minute allows, once for each Zap. */
export const STOCK = { mostPages: 110, longestMs: 19_000, stopsAtLimit: true } as const;

/** Pages of every other look, a third of it. */
export const LOOK = { mostPages: 40, stopsAtLimit: true } as const;

export interface Poll extends Reading {
  readonly list: List;
  /** The trigger's key. */
  readonly trigger: string;
}

type Looks = ReturnType<typeof createLooks>;

/**
 * Entries that are new or changed, among others. A change may stand anywhere in a list: where the service gives what changed
 * last first, that is read; else the whole list, and where it is longer than a look may read, look after look in turn, by
 * what was seen of each entry before. Nothing is left out for good, and nothing from before the Zap is given.
 */
export async function pollChanges(
  poll: Poll,
  { z, bundle }: { z: ZObject; bundle: Bundle },
): Promise<readonly JsonObject[]> {
  if (bundle.meta?.isLoadingSample === true) return (await askPage(poll.list)).items;
  const looks = createLooks(z, bundle, poll.trigger);
  const known = await looks.read();
  const began = justNow();
  const first = known?.mode === 'turns' ? undefined : await askPage(poll.list);
  // Also of a list that was looked through in turns: a service that sorts shows it once something has changed.
  const latest = first && !first.cursor ? undefined : await readLatest(poll, known);
  if (latest) return keepLatest(poll, looks, { known, latest });
  if (!first) return goOnInTurn(poll, known ?? { since: began }, looks);
  const walked = await walkOn(poll.list, first, known ? LOOK : STOCK);
  if (known?.partial || !walked.complete)
    return readInTurn(poll, looks, { walked, known: known ?? { since: began } });
  await looks.keep({ since: began });
  return walked.items;
}

/** From where the last look stopped, or from the beginning where that place is no more. */
export async function goOnInTurn(poll: Poll, known: Known, looks: Looks): Promise<readonly JsonObject[]> {
  const { from } = known;
  const again = (error: unknown) => {
    if (!isPlaceGone(error)) throw error;
    return walk(poll.list, LOOK);
  };
  const walked = await walk(poll.list, { ...LOOK, from }).catch(again);
  return readInTurn(poll, looks, { walked, known });
}

/** What differs from what was seen of each entry before. */
export async function readInTurn(
  poll: Poll,
  looks: Looks,
  { walked, known }: { walked: Walked; known: Known },
): Promise<readonly JsonObject[]> {
  const { items, complete, onward } = walked;
  const seen = createSeen(known.seen);
  const rounds = known.rounds ?? 0;
  const news = items.filter((item) => {
    const verdict = seen.see(poll.getId(item), poll.getVersion(item));
    if (verdict !== 'unknown') return verdict === 'changed';
    const time = poll.getTime(item);
    return time === undefined ? rounds > 0 : time >= known.since;
  });
  const kept = await looks.keep({
    since: known.since,
    partial: true,
    mode: 'turns',
    rounds: rounds + (onward ? 0 : 1),
    seen: seen.toString(),
    ...(onward ? { from: onward } : {}),
  });
  const isCut = !onward && !complete;
  // What can't be read or remembered can't be told: the trigger says so rather than stay silent.
  if (news.length === 0 && (isCut || !kept || seen.isFull()))
    throw new IncompleteListError({
      operation: poll.trigger,
      reason: isCut ? 'the service gives no more of it' : 'it is too long to be remembered',
      itemsRead: items.length,
    });
  return news;
}

/**
 * What changed last, where the service sorts by that: an order by changes that is none by creation proves it, since a list
 * that was not sorted would show the latter. Read to what the last look saw.
 */
async function readLatest(poll: Poll, known: Known | undefined): Promise<readonly JsonObject[] | undefined> {
  const isBehind = (item: JsonObject) =>
    (poll.getTime(item) ?? '') < (known?.newest ?? known?.since ?? '\uffff');
  const enough = (items: readonly JsonObject[]) => items.some(isBehind);
  const latest = await askWith(poll.list, LIST_ORDERS.updated, (list) => walk(list, { enough }));
  if (!latest || !isNewestFirst(latest.items, poll.getTime) || isNewestFirst(latest.items, createdAtOf))
    return undefined;
  return latest.complete || enough(latest.items) ? latest.items : undefined;
}

async function keepLatest(
  poll: Poll,
  looks: Looks,
  { known, latest }: { known: Known | undefined; latest: readonly JsonObject[] },
): Promise<readonly JsonObject[]> {
  const [first] = latest;
  const newest = first && poll.getTime(first);
  const since = known?.since ?? getFirstPollTime(newest);
  await looks.keep({ since, partial: true, ...(newest === undefined ? {} : { newest }) });
  return known ? latest.filter((item) => (poll.getTime(item) ?? since) >= since) : latest;
}
