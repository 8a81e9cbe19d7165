import type { Trigger } from 'zapier-platform-core';
import { z as zod } from 'zod';
import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import type { JsonObject, Page, PageCursor } from '../platform/client-core.ts';
import { getCreatedAt, getTextField, getTitle, idOf, isPageCursor } from '../platform/client-core.ts';
import { formatLocalTime } from '../platform/local-time.ts';
import type { StepContext } from '../platform/with-client.ts';
import { type Choice, disambiguateNames } from '../records/choice-names.ts';
import { getRecipientEmail, getRecipients } from '../records/is-signed.ts';
import { fetchPage, getListFunction, sortNewestFirst, throwIncompleteList } from '../records/read-list.ts';
import {
  createSampleInState,
  getOutputFields,
  getRecordId,
  type RecordKind,
  toFlatRecord,
} from '../records/record-kind.ts';
import { createPollPerform } from './poll.ts';
import { pollNewest } from './poll-newest.ts';

/** Drop-down list of one kind of record: a hidden, paged polling trigger. */
export function defineDropdownTrigger(kind: RecordKind): Trigger {
  return {
    key: `${kind.resource}_list`,
    noun: kind.noun,
    display: {
      label: `List of ${kind.noun}s`,
      description: `Triggers when a drop-down list of ${kind.resource}s is loaded.`,
      hidden: true,
    },
    operation: {
      type: 'polling',
      canPaginate: true,
      perform: createPollPerform(async (step) => {
        const page = await fetchDropdownPage(kind, step);
        return disambiguateNames(page.flatMap((item) => toChoice(kind, item, step.bundle.meta?.timezone) ?? []));
      }),
      sample: { id: kind.sample.id, name: kind.sample['name'] ?? kind.sample.id },
      outputFields: [
        { key: 'id', label: `${kind.noun} ID`, type: 'string' },
        { key: 'name', label: `${kind.noun} Name`, type: 'string' },
      ],
    },
  };
}

export function defineNewRecordTrigger(kind: RecordKind, description: string): Trigger {
  return {
    key: `new_${kind.resource}`,
    noun: kind.noun,
    display: { label: `New ${kind.noun}`, description },
    operation: {
      type: 'polling',
      perform: createPollPerform(async (step) => {
        const poll = {
          list: getListFunction(kind, step.client),
          trigger: `new_${kind.resource}`,
          getId: (item: JsonObject) => getRecordId(kind, item),
          getTime: getCreatedAt,
        };
        const items = await pollNewest(poll, step);
        const records = items.map((item) => toFlatRecord(kind, item));
        return sortNewestFirst(records, ({ created_at }) => created_at);
      }),
      sample: isSent(kind) ? createSampleInState(kind, 'draft') : kind.sample,
      outputFields: getOutputFields(kind),
    },
  };
}

/** True for records that begin as a draft. */
function isSent({ sample }: RecordKind): boolean {
  return sample['sent_at'] !== undefined;
}

/** Maximum pages without choices to skip, so that the editor does not wait too long. */
const MAX_EMPTY_PAGES = 10;

/**
 * Zapier numbers pages, the service may use cursors: Zapier's cursor stores the service's. All drop-downs of a Zap share
 * it, so it names its list.
 */
async function fetchDropdownPage(
  kind: RecordKind,
  { client, z, bundle }: StepContext<JsonObject>,
): Promise<readonly JsonObject[]> {
  const pageNumber = bundle.meta?.page ?? 0;
  const listHash = z.hash('sha256', JSON.stringify([kind.resource, bundle.authData]));
  const stored = pageNumber > 0 ? parseCursor(await z.cursor.get().catch(() => null)) : undefined;
  const savedCursor = stored?.list === listHash ? stored : undefined;
  if (savedCursor?.cut && pageNumber >= savedCursor.page)
    throwIncompleteList(`${kind.resource}s.list`, savedCursor.cut);
  if (savedCursor?.from === 'end' && pageNumber >= savedCursor.page) return [];
  const list = getListFunction(kind, client);
  const startCursor = savedCursor?.page === pageNumber && savedCursor.from !== 'end' ? savedCursor.from : undefined;
  const hasChoices = (items: readonly JsonObject[]) => items.some((item) => idOf(item, kind.resource) !== undefined);
  // Zapier stops at an empty page.
  const fetchPageWithChoices = async (from: PageCursor | undefined) => {
    let candidate = await fetchPage(list, from);
    for (let skipped = 0; skipped < MAX_EMPTY_PAGES && candidate.cursor && !hasChoices(candidate.items); skipped++)
      candidate = await fetchPage(list, candidate.cursor);
    return candidate;
  };
  let page = await fetchPageWithChoices(startCursor);
  // If the editor lost its cursor or has that of another list, the pages are read again from the start.
  for (let skippedPages = startCursor ? pageNumber : 0; skippedPages < pageNumber; skippedPages++) {
    if (!page.cursor) return [];
    page = await fetchPageWithChoices(page.cursor);
  }
  const cursor: DropdownCursor = { list: listHash, page: pageNumber + 1, from: page.cursor ?? 'end', ...getCut(page) };
  await z.cursor.set(JSON.stringify(cursor)).catch(() => null);
  return page.items;
}

const DropdownCursor = zod.object({
  /** Hash of the kind of record and the connection. */
  list: zod.string(),
  /** Next page; `from` is `end` if there is none. */
  page: zod.number(),
  from: zod.union([zod.literal('end'), zod.custom<PageCursor>(isPageCursor)]),
  /** Why the list ends early: the next page reports it. */
  cut: zod.object({ reason: zod.string(), read: zod.number() }).optional().catch(undefined),
});
type DropdownCursor = zod.infer<typeof DropdownCursor>;

function getCut(page: Page<JsonObject>): Pick<DropdownCursor, 'cut'> {
  return page.complete ? {} : { cut: { reason: page.incompleteReason, read: page.items.length } };
}

/** Undefined for a cursor in the form of another app version. */
function parseCursor(text: string | null): DropdownCursor | undefined {
  try {
    return DropdownCursor.safeParse(JSON.parse(text ?? 'null')).data;
  } catch {
    return undefined;
  }
}

function toChoice(kind: RecordKind, item: JsonObject, zone?: string | null): Choice | undefined {
  const id = idOf(item, kind.resource);
  if (id === undefined) return undefined;
  const name = kind.label?.(item) ?? getTitle(item) ?? getTextField(item, RECORD_FIELDS.url) ?? id;
  const createdAt = getCreatedAt(item);
  const time = createdAt === undefined ? undefined : formatLocalTime(createdAt, zone);
  const details = [getTextField(item, RECORD_FIELDS.status), time, getRecipientEmail(getRecipients(item)[0])];
  return { id, name, detail: details.filter((part) => part !== undefined).join(', ') };
}
