import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import type { JsonObject, PageCursor } from '../platform/core.ts';
import { createdAtOf, getTextField, getTitle, idOf, isObject, isPageCursor } from '../platform/core.ts';
import { askPage, type List } from '../records/pages.ts';
import { outputFieldsFor, type RecordKind, readRecord } from '../records/record.ts';
import { lookOnce } from './look-once.ts';
import { pollNewest } from './poll-newest.ts';

/** The drop-down of one kind of record: a hidden, paged polling trigger. */
export function dropDownTrigger(kind: RecordKind): Trigger {
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
      perform: lookOnce(async (client, { z, bundle }) => {
        const page = await readDropDownPage(kind, { z, bundle, client });
        return toldApart(page.map((item) => toChoice(kind, item)).filter((choice) => choice !== undefined));
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
export function newRecordTrigger(kind: RecordKind, words: { description: string }): Trigger {
  return {
    key: `new_${kind.resource}`,
    noun: kind.noun,
    display: { label: `New ${kind.noun}`, description: words.description },
    operation: {
      type: 'polling',
      perform: lookOnce(async (client, { z, bundle }) => {
        const poll = {
          list: ((query, options) => kind.list(client, query, options)) satisfies List,
          trigger: `new_${kind.resource}`,
          getId: (item: JsonObject) => readRecord(kind, item).id,
          getTime: createdAtOf,
          getVersion: () => '',
        };
        const items = await pollNewest(poll, { z, bundle });
        return sortNewestFirst(items.map((item) => readRecord(kind, item)));
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

interface Asked {
  readonly z: ZObject;
  readonly bundle: Bundle;
  readonly client: Parameters<RecordKind['list']>[0];
}

/** Pages in a row without a choice that are passed over, so that an editor does not wait too long. */
const MAX_EMPTY_PAGES = 10;

/** The platform asks for no page behind one that shows nothing. */
function isEmpty(kind: RecordKind, items: readonly JsonObject[]): boolean {
  return items.every((item) => toChoice(kind, item) === undefined);
}

/** The platform numbers pages, the service may chain them: the way to the next one is kept in the platform's cursor. */
async function readDropDownPage(
  kind: RecordKind,
  { z, bundle, client }: Asked,
): Promise<readonly JsonObject[]> {
  const number = bundle.meta?.page ?? 0;
  const known = number > 0 ? readCursor(await z.cursor.get().catch(() => null)) : undefined;
  if (known?.from === 'end' && number >= known.page) return [];
  const list: Parameters<typeof askPage>[0] = (query, options) => kind.list(client, query, options);
  const place = known?.page === number && known.from !== 'end' ? known.from : undefined;
  const ask = async (from: PageCursor | undefined) => {
    let shown = await askPage(list, from);
    for (let empty = 0; empty < MAX_EMPTY_PAGES && isEmpty(kind, shown.items) && shown.cursor; empty++)
      shown = await askPage(list, shown.cursor);
    return shown;
  };
  let page = await ask(place);
  // Without a cursor (an editor that lost it) the chain is walked again from its start.
  for (let walked = place ? number : 0; walked < number; walked++) {
    if (!page.cursor) return [];
    page = await ask(page.cursor);
  }
  const cursor: Cursor = { page: number + 1, from: page.cursor ?? 'end' };
  await z.cursor.set(JSON.stringify(cursor)).catch(() => null);
  return page.items;
}

/** The next page and the way to it; `end`: there is none. */
interface Cursor {
  readonly page: number;
  readonly from: PageCursor | 'end';
}

/** Undefined for what another version of this app has kept in another form. */
function readCursor(text: string | null): Cursor | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (!isObject(kept)) return undefined;
    const { page, from } = kept;
    return typeof page === 'number' && (from === 'end' || isPageCursor(from)) ? { page, from } : undefined;
  } catch {
    return undefined;
  }
}

interface Choice {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of its name. */
  readonly more: string;
}

function toChoice(kind: RecordKind, item: JsonObject): Choice | undefined {
  const id = idOf(item, kind.resource);
  if (id === undefined) return undefined;
  const name = kind.label?.(item) ?? getTitle(item) ?? getTextField(item, RECORD_FIELDS.url) ?? id;
  const day = createdAtOf(item)?.slice(0, 16).replace('T', ' ');
  const more = [getTextField(item, RECORD_FIELDS.status), day]
    .filter((part) => part !== undefined)
    .join(', ');
  return { id, name, more: more === '' ? id : more };
}

/** Equal names show status and date. */
function toldApart(choices: readonly Choice[]): { id: string; name: string }[] {
  const count = new Map<string, number>();
  for (const { name } of choices) count.set(name, (count.get(name) ?? 0) + 1);
  return choices.map(({ id, name, more }) => ({
    id,
    name: (count.get(name) ?? 0) > 1 ? `${name} (${more})` : name,
  }));
}
