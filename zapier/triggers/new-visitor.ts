import type { Trigger } from 'zapier-platform-core';
import { ROOM_FIELD, VISITOR_LISTS } from '../../src/assumptions/index.ts';
import { recordField } from '../forms/form.ts';
import type { Step } from '../platform/client.ts';
import {
  type Client,
  getValueAtPath,
  IncompleteListError,
  InputError,
  idOf,
  isObject,
  type JsonObject,
} from '../platform/core.ts';
import { link } from '../records/link.ts';
import { askPage, askWith, type List, walk } from '../records/pages.ts';
import type { Identified } from '../records/record.ts';
import { room } from '../records/room.ts';
import { readVisitor, visitor } from '../records/visitor.ts';
import { sortNewestFirst } from './list-trigger.ts';
import { lookOnce } from './look-once.ts';
import { pollNewest } from './poll-newest.ts';

/** Links of a room that one look asks for their visitors: each is a request of the 120 a minute. */
const MAX_LINKS = 50;

/** Somebody who opens a link, or a room by any of its links, for the first time. */
export const newVisitor: Trigger = {
  key: 'new_visitor',
  noun: 'Visitor',
  display: {
    label: 'New Visitor',
    description: 'Triggers when somebody opens a link or a room for the first time.',
  },
  operation: {
    type: 'polling',
    inputFields: [
      recordField(link, { required: false, helpText: 'The link to watch. Fill in a link or a room.' }),
      recordField(room, {
        required: false,
        helpText: 'The room to watch, by all of its links. Docshare is asked every few minutes.',
      }),
    ],
    perform: lookOnce(async (client, step) => {
      const visitors = await readVisitors(client, step);
      return sortNewestFirst(
        visitors.map((one) => ({
          one,
          created_at: (one['first_seen_at'] ?? one['last_seen_at']) as string | null,
        })),
      ).map(({ one }) => one);
    }),
    sample: visitor.sample,
    outputFields: visitor.outputFields,
  },
};

async function readVisitors(client: Client, step: Step<JsonObject>): Promise<Identified[]> {
  const { link: linkId, room: roomId } = step.input;
  if (typeof linkId === 'string' && linkId !== '') return visitorsOfLink(client, linkId, step);
  if (typeof roomId !== 'string' || roomId === '')
    throw new InputError('Pick the link or the room whose visitors this Zap waits for.');
  // §4: the answer for a room is not shown; where it lists its visitors, that is all there is to ask.
  const answer = await client.analytics.room({ id: roomId });
  const listed = VISITOR_LISTS.map((name) => getValueAtPath(answer, name)).find(
    (value): value is JsonObject[] => Array.isArray(value) && value.every(isObject),
  );
  if (listed) return listed.map((item) => readVisitor(item, ''));
  const isSample = step.bundle.meta?.isLoadingSample === true;
  // The editor's test has three requests.
  const asked = isSample
    ? (await someLinksOfRoom(client, roomId)).slice(0, 1)
    : await linksOfRoom(client, roomId);
  if (asked.length > MAX_LINKS)
    throw new InputError(
      `This room has ${asked.length} links, and one look can ask ${MAX_LINKS} for their visitors. Watch its links one by one, each with a Zap of its own.`,
    );
  const each = await Promise.all(asked.map((id) => visitorsOfLink(client, id, step)));
  return each.flat();
}

async function someLinksOfRoom(client: Client, roomId: string): Promise<string[]> {
  const { items } = await askPage((query, options) => client.links.list(query, options));
  return ownIds(items, roomId);
}

function ownIds(items: readonly JsonObject[], roomId: string): string[] {
  return items.filter((item) => isOfRoom(item, roomId)).flatMap((item) => idOf(item, link.resource) ?? []);
}

function isOfRoom(item: JsonObject, roomId: string): boolean {
  return String(getValueAtPath(item, ROOM_FIELD) ?? getValueAtPath(item, 'room.id')) === roomId;
}

/** By the service's own filter where that finds any: nothing found may be a filter that means something else (§4). */
async function linksOfRoom(client: Client, roomId: string): Promise<string[]> {
  const list: List = (query, options) => client.links.list(query, options);
  const isOwn = (item: JsonObject) => isOfRoom(item, roomId);
  const enough = (items: readonly JsonObject[]) => !items.every(isOwn);
  const filtered = await askWith(list, { [ROOM_FIELD]: roomId }, (own) => walk(own, { enough }));
  const isFound = filtered?.complete === true && filtered.items.length > 0;
  const { items, complete } = isFound ? filtered : await walk(list);
  // Of a list that is too long for a look, what was read of it need only not contradict a filter that finds none.
  const isEmpty = filtered?.complete === true && !items.some(isOwn);
  if (!complete && !isEmpty)
    throw new IncompleteListError({
      operation: 'links.list',
      reason: 'it is longer than one look may read',
      itemsRead: items.length,
    });
  return ownIds(items, roomId);
}

async function visitorsOfLink(client: Client, id: string, step: Step<JsonObject>): Promise<Identified[]> {
  // A person may come by several links: each first time counts for its link.
  const read = (item: JsonObject) => {
    const one = readVisitor(item, id);
    return { ...one, id: `${id}-${String(one['id'])}` };
  };
  const items = await pollNewest(
    {
      list: (query, options) => client.analytics.visitors({ ...query, id }, options),
      trigger: `new_visitor-${id}`,
      getId: (item) => read(item).id,
      getTime: (item) => (readVisitor(item, id)['first_seen_at'] ?? undefined) as string | undefined,
      getVersion: () => '',
    },
    step,
  );
  return items.map(read);
}
