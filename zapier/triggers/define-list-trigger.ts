import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import type { JsonObject, NotFullySearched, Page, PageCursor } from '../platform/client-core.ts';
import {
  createdAtOf,
  getTextField,
  getTitle,
  idOf,
  isObject,
  isPageCursor,
} from '../platform/client-core.ts';
import { failIncomplete, fetchPage, type ListFunction } from '../records/read-list.ts';
import { outputFieldsFor, type RecordKind, toFlatRecord } from '../records/record-kind.ts';
import { createPollPerform } from './poll.ts';
import { pollNewest } from './poll-newest.ts';

/** The drop-down of one kind of record: a hidden, paged polling trigger. */
export function defineDropdownTrigger(kind: RecordKind): Trigger {
  return {
    key: `${kind.resource}_list`,
    noun: kind.noun,
    display: {
      label: `List of ${kind.noun}s`,
      description: `Triggers when the list of ${kind.resource}s is asked for by a drop-down.`,
      hidden: true,
    },
    operation: {
      type: 'polling',
      canPaginate: true,
      perform: createPollPerform(async (client, { z, bundle }) => {
        const page = await fetchDropdownPage(kind, { z, bundle, client });
        return disambiguateNames(
          page.map((item) => toChoice(kind, item)).filter((choice) => choice !== undefined),
        );
      }),
      sample: { id: kind.sample.id, name: kind.sample['name'] ?? kind.sample.id },
      outputFields: [
        { key: 'id', label: `${kind.noun} ID`, type: 'string' },
        { key: 'name', label: `${kind.noun} Name`, type: 'string' },
      ],
    },
  };
}

/** A new record of one kind, newest first; the platform tells new ones by their id. */
export function defineNewRecordTrigger(kind: RecordKind, details: { description: string }): Trigger {
  return {
    key: `new_${kind.resource}`,
    noun: kind.noun,
    display: { label: `New ${kind.noun}`, description: details.description },
    operation: {
      type: 'polling',
      perform: createPollPerform(async (client, { z, bundle }) => {
        const poll = {
          list: ((query, options) => kind.list(client, query, options)) satisfies ListFunction,
          trigger: `new_${kind.resource}`,
          getId: (item: JsonObject) => toFlatRecord(kind, item).id,
          getTime: createdAtOf,
          getVersion: () => '',
        };
        const items = await pollNewest(poll, { z, bundle });
        return sortNewestFirst(items.map((item) => toFlatRecord(kind, item)));
      }),
      sample: kind.sample,
      outputFields: outputFieldsFor(kind),
    },
  };
}

/** Newest first where the records say when they were made; else as the service orders them. */
export function sortNewestFirst<Item extends { created_at: string | null }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (b.created_at ?? '').localeCompare(a.created_at ?? ''));
}

interface DropdownContext {
  readonly z: ZObject;
  readonly bundle: Bundle;
  readonly client: Parameters<RecordKind['list']>[0];
}

/** Pages in a row without a choice that are passed over, so that an editor does not wait too long. */
const MAX_EMPTY_PAGES = 10;

/** The platform asks for no page behind one that shows nothing. */
function hasNoChoices(kind: RecordKind, items: readonly JsonObject[]): boolean {
  return items.every((item) => toChoice(kind, item) === undefined);
}

/** The platform numbers pages, the service may chain them: the way to the next one is kept in the platform's cursor. */
async function fetchDropdownPage(
  kind: RecordKind,
  { z, bundle, client }: DropdownContext,
): Promise<readonly JsonObject[]> {
  const pageNumber = bundle.meta?.page ?? 0;
  const savedCursor = pageNumber > 0 ? parseCursor(await z.cursor.get().catch(() => null)) : undefined;
  if (savedCursor?.cut && pageNumber >= savedCursor.page)
    failIncomplete(`${kind.resource}s.list`, savedCursor.cut);
  if (savedCursor?.from === 'end' && pageNumber >= savedCursor.page) return [];
  const list: Parameters<typeof fetchPage>[0] = (query, options) => kind.list(client, query, options);
  const startCursor =
    savedCursor?.page === pageNumber && savedCursor.from !== 'end' ? savedCursor.from : undefined;
  const fetchPageWithChoices = async (from: PageCursor | undefined) => {
    let candidate = await fetchPage(list, from);
    for (
      let emptyPages = 0;
      emptyPages < MAX_EMPTY_PAGES && hasNoChoices(kind, candidate.items) && candidate.cursor;
      emptyPages++
    )
      candidate = await fetchPage(list, candidate.cursor);
    return candidate;
  };
  let page = await fetchPageWithChoices(startCursor);
  // Without a cursor (an editor that lost it) the chain is walked again from its start.
  for (let skippedPages = startCursor ? pageNumber : 0; skippedPages < pageNumber; skippedPages++) {
    if (!page.cursor) return [];
    page = await fetchPageWithChoices(page.cursor);
  }
  const cursor: DropdownCursor = { page: pageNumber + 1, from: page.cursor ?? 'end', ...getCut(page) };
  await z.cursor.set(JSON.stringify(cursor)).catch(() => null);
  return page.items;
}

/** The next page and the way to it; `end`: there is none. */
interface DropdownCursor {
  readonly page: number;
  readonly from: PageCursor | 'end';
  /** Why the service gives no more, although more records exist: the next page says so. */
  readonly cut?: Cut;
}

type Cut = Pick<NotFullySearched, 'reason' | 'read'>;

function getCut(page: Page<JsonObject>): Pick<DropdownCursor, 'cut'> {
  return page.complete ? {} : { cut: { reason: page.incompleteReason, read: page.items.length } };
}

/** Undefined for what another version of this app has kept in another form. */
function parseCursor(text: string | null): DropdownCursor | undefined {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    if (!isObject(stored)) return undefined;
    const { page, from, cut } = stored;
    if (typeof page !== 'number' || !(from === 'end' || isPageCursor(from))) return undefined;
    const isCut = isObject(cut) && typeof cut['reason'] === 'string' && typeof cut['read'] === 'number';
    return { page, from, ...(isCut ? { cut: { reason: cut['reason'], read: cut['read'] } as Cut } : {}) };
  } catch {
    return undefined;
  }
}

interface Choice {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of its name. */
  readonly detail: string;
}

function toChoice(kind: RecordKind, item: JsonObject): Choice | undefined {
  const id = idOf(item, kind.resource);
  if (id === undefined) return undefined;
  const name = kind.label?.(item) ?? getTitle(item) ?? getTextField(item, RECORD_FIELDS.url) ?? id;
  const createdAt = createdAtOf(item)?.slice(0, 16).replace('T', ' ');
  const detail = [getTextField(item, RECORD_FIELDS.status), createdAt]
    .filter((part) => part !== undefined)
    .join(', ');
  return { id, name, detail: detail === '' ? id : detail };
}

/** Equal names show status and date. */
function disambiguateNames(choices: readonly Choice[]): { id: string; name: string }[] {
  const count = new Map<string, number>();
  for (const { name } of choices) count.set(name, (count.get(name) ?? 0) + 1);
  return choices.map(({ id, name, detail }) => ({
    id,
    name: (count.get(name) ?? 0) > 1 ? `${name} (${detail})` : name,
  }));
}
