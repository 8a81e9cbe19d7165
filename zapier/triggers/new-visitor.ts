import type { Trigger } from 'zapier-platform-core';
import { ROOM_FIELD, VISITOR_LISTS } from '../../src/assumptions/index.ts';
import { createRecordField } from '../fields/form-fields.ts';
import { type Client, getValueAtPath, InputError, idOf, isObject, type JsonObject } from '../platform/client-core.ts';
import type { StepContext } from '../platform/with-client.ts';
import { link, room } from '../records/kinds.ts';
import { normalizeEmail } from '../records/normalize-text.ts';
import {
  fetchPage,
  getListFunction,
  readPages,
  sortNewestFirst,
  throwIncompleteList,
  tryWithQuery,
} from '../records/read-list.ts';
import type { RecordWithId } from '../records/record-kind.ts';
import { toVisitor, visitor } from '../records/visitor.ts';
import { createPollPerform } from './poll.ts';
import { pollNewest } from './poll-newest.ts';

/** Maximum links of a room: each poll makes one request per link, of 120 per minute. */
const MAX_LINKS = 50;

const inputFields = [
  createRecordField(link, { required: false, helpText: 'The link to watch. Choose a link or a room.' }),
  createRecordField(room, { required: false, helpText: 'Checks all links of this room every few minutes.' }),
];

export const newVisitor: Trigger = {
  key: 'new_visitor',
  noun: 'Visitor',
  display: { label: 'New Visitor', description: 'Triggers when someone opens a link or a room for the first time.' },
  operation: {
    type: 'polling',
    inputFields,
    perform: createPollPerform(async (step) => {
      const visitors = await fetchVisitors(step);
      const sorted = sortNewestFirst(visitors, (entry) => entry['first_seen_at'] ?? entry['last_seen_at']);
      // Of several entries of a person, the oldest is kept.
      return [...new Map(sorted.map((entry) => [entry.id, entry])).values()];
    }, inputFields),
    sample: visitor.sample,
    outputFields: visitor.outputFields,
  },
};

async function fetchVisitors(step: StepContext<JsonObject>): Promise<RecordWithId[]> {
  const { client, bundle, input } = step;
  const { link: linkId, room: roomId } = input;
  if (typeof linkId === 'string') return pollLinkVisitors(step, linkId);
  if (typeof roomId !== 'string') throw new InputError('Choose a link or a room in this step.');
  // §4 does not show the response for a room; it may list the visitors.
  const analytics = await client.analytics.room({ id: roomId });
  const listedVisitors = VISITOR_LISTS.map((name) => getValueAtPath(analytics, name)).find(
    (value): value is JsonObject[] => Array.isArray(value) && value.every(isObject),
  );
  if (listedVisitors) return listedVisitors.map((item) => toVisitor(item, ''));
  const isSample = bundle.meta?.isLoadingSample === true;
  // The editor's test makes at most three requests.
  const linkIds = isSample
    ? getRoomLinkIds((await fetchPage(getListFunction(link, client))).items, roomId).slice(0, 1)
    : await fetchRoomLinkIds(client, roomId);
  if (linkIds.length > MAX_LINKS)
    throw new InputError(
      `This room has ${linkIds.length} links, and this trigger can check at most ${MAX_LINKS}. Choose a link instead of the room, with one Zap per link.`,
    );
  const visitorLists = await Promise.all(linkIds.map((id) => pollLinkVisitors(step, id, roomId)));
  return visitorLists.flat();
}

function getRoomLinkIds(items: readonly JsonObject[], roomId: string): string[] {
  return items.filter((item) => belongsToRoom(item, roomId)).flatMap((item) => idOf(item, link.resource) ?? []);
}

function belongsToRoom(item: JsonObject, roomId: string): boolean {
  return String(getValueAtPath(item, ROOM_FIELD) ?? getValueAtPath(item, 'room.id')) === roomId;
}

/** Uses the service's filter if it finds any link: an empty result may come from a different filter (§4). */
async function fetchRoomLinkIds(client: Client, roomId: string): Promise<string[]> {
  const list = getListFunction(link, client);
  const isInRoom = (item: JsonObject) => belongsToRoom(item, roomId);
  const isEnough = (items: readonly JsonObject[]) => !items.every(isInRoom);
  const filtered = await tryWithQuery(list, { [ROOM_FIELD]: roomId }, (filteredList) =>
    readPages(filteredList, { isEnough }),
  );
  if (filtered?.kind === 'whole' && filtered.readItems.length > 0) return getRoomLinkIds(filtered.readItems, roomId);
  const reading = await readPages(list);
  if (reading.kind === 'whole') return getRoomLinkIds(reading.readItems, roomId);
  // If the list is too long, the part read must not contradict an empty filter result.
  const isEmpty = filtered?.kind === 'whole' && !reading.readItems.some(isInRoom);
  if (isEmpty) return [];
  throwIncompleteList('new_visitor', { reason: reading.reason, read: reading.readItems.length });
}

async function pollLinkVisitors(step: StepContext<JsonObject>, id: string, room?: string): Promise<RecordWithId[]> {
  const toLinkVisitor = (item: JsonObject) => {
    const record = toVisitor(item, id);
    return { ...record, id: `${id}-${record.id}` };
  };
  // A person counts once, also with several links of a room; someone unknown counts once per link.
  const toPerson = (item: JsonObject) => {
    const visitor = toLinkVisitor(item);
    const { email } = visitor as JsonObject;
    return typeof email === 'string' ? { ...visitor, id: `${room ?? id}-${normalizeEmail(email)}` } : visitor;
  };
  const items = await pollNewest(
    {
      list: (query, options) => step.client.analytics.visitors({ ...query, id }, options),
      trigger: `new_visitor-${id}`,
      getId: (item) => toLinkVisitor(item).id,
      getTime: (item) => (toVisitor(item, id)['first_seen_at'] ?? undefined) as string | undefined,
    },
    step,
  );
  return items.map(toPerson);
}
