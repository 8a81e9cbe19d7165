import type { Bundle, ZObject } from 'zapier-platform-core';
import { createMemory } from '../platform/cache.ts';
import { createdAtOf, idOf, isObject, type JsonObject, type Onward } from '../platform/core.ts';
import { askPage, collect, isNewestFirst, POLLED } from '../records/pages.ts';

type List = Parameters<typeof collect>[0];

const KEPT_SECONDS = 30 * 24 * 60 * 60;
/** Pages that one poll reads beyond those it knows. */
const MOST_PAGES = 20;
/** The service's clock and this one may differ. */
const CLOCKS_APART_MS = 60_000;
/** Newest records that are remembered: some may be deleted until the next poll. */
const REMEMBERED = 10;

/** What is known since the last poll of a Zap: the newest records, or how far a list that ends with them was read. */
interface Known {
  readonly top?: readonly string[];
  /** The way to the last page that was read, and a record on it. */
  readonly from?: Onward;
  readonly anchor?: string;
  /** When the first poll was: what is older is no news. */
  readonly since: string;
  /** Records of no date that were there when the end was reached. */
  readonly old?: readonly string[];
}

/**
 * The records that are new, among others. Where a list begins with the newest it is read to those of the last poll. Where
 * it ends with them and is longer than a poll may read, polls go on from where the last one stopped; records that were
 * there before the Zap are never given on the way, for each would run it.
 */
export async function pollNewest(
  list: List,
  { z, bundle, resource }: { z: ZObject; bundle: Bundle; resource: string },
): Promise<readonly JsonObject[]> {
  const memory = createMemory(z);
  const key = `poll-${resource}-${bundle.meta?.zap?.id ?? 'none'}`;
  const keep = (known: Known) => memory.keep(key, known, KEPT_SECONDS).catch(() => null);
  const isSample = bundle.meta?.isLoadingSample === true;
  const read = isSample ? null : await memory.read(key).catch(() => null);
  // Written here alone.
  const known = isObject(read) ? (read as unknown as Known) : undefined;
  const since = known?.since ?? new Date(Date.now() - CLOCKS_APART_MS).toISOString();

  if (known?.from) {
    const tail = await readOn(list, known.from, known.anchor);
    if (tail) {
      const { items, from, anchor, ended } = tail;
      const undated = items.filter((item) => createdAtOf(item) === undefined);
      const old = known.old ?? (ended ? undated.flatMap((item) => idOf(item) ?? []) : undefined);
      await keep({ since, from, ...(anchor === undefined ? {} : { anchor }), ...(old ? { old } : {}) });
      return ended ? items.filter((item) => isNews(item, { since, old: old ?? [] })) : [];
    }
  }
  const isKnown = (item: JsonObject) => known?.top?.includes(idOf(item) ?? '') ?? true;
  const { items, complete } = await collect(
    list,
    (all) => all.length >= POLLED && isNewestFirst(all) && all.some(isKnown),
  );
  if (isSample) return items;
  if (complete || isNewestFirst(items)) {
    await keep({ since, top: items.slice(0, REMEMBERED).flatMap((item) => idOf(item) ?? []) });
    return items;
  }
  const first = await askPage(list);
  if (first.onward) await keep({ since, from: first.onward });
  return items.filter((item) => isNews(item, { since, old: items.flatMap((one) => idOf(one) ?? []) }));
}

function isNews(item: JsonObject, { since, old }: { since: string; old: readonly string[] }): boolean {
  const made = createdAtOf(item);
  return made === undefined ? !old.includes(idOf(item) ?? '') : made >= since;
}

/** The pages from a known one on; undefined where that page is no longer the one it was. */
async function readOn(list: List, start: Onward, anchor: string | undefined) {
  const items: JsonObject[] = [];
  let from = start;
  let before = start;
  let last: string | undefined;
  for (let number = 0; number < MOST_PAGES; number++) {
    const page = await askPage(list, from).catch((error: unknown) => {
      if (number > 0 || anchor === undefined) throw error;
      return undefined;
    });
    if (!page) return undefined;
    const ids = page.items.flatMap((item) => idOf(item) ?? []);
    if (number === 0 && anchor !== undefined && !ids.includes(anchor)) return undefined;
    items.push(...page.items);
    last = ids.at(-1) ?? last;
    // An empty page behind the last one: that one is where the next poll begins.
    if (page.items.length === 0) return { items, from: before, anchor: last, ended: true };
    if (!page.onward) return { items, from, anchor: last, ended: true };
    before = from;
    from = page.onward;
  }
  return { items, from, anchor: undefined, ended: false };
}
