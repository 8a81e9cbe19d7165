import type { Trigger } from 'zapier-platform-core';
import { VISITOR_LISTS } from '../../src/assumptions/index.ts';
import { recordField } from '../forms/form.ts';
import { withClient } from '../platform/client.ts';
import { type Client, InputError, idOf, isObject, type JsonObject, readPath } from '../platform/core.ts';
import { link } from '../records/link.ts';
import { collectNewest } from '../records/pages.ts';
import type { Identified } from '../records/record.ts';
import { room } from '../records/room.ts';
import { readVisitor, visitor } from '../records/visitor.ts';
import { sortNewestFirst } from './list-trigger.ts';

/** Links of a room that one look asks for their visitors: each is a request of the 120 a minute. */
const MOST_LINKS = 10;

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
    perform: withClient(async (client, { input }) => {
      const visitors = await readVisitors(client, input);
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

async function readVisitors(client: Client, input: JsonObject): Promise<Identified[]> {
  const { link: linkId, room: roomId } = input;
  if (typeof linkId === 'string' && linkId !== '') return visitorsOfLink(client, linkId);
  if (typeof roomId !== 'string' || roomId === '')
    throw new InputError('Pick the link or the room whose visitors this Zap waits for.');
  // §4: the answer for a room is not shown; where it lists its visitors, that is all there is to ask.
  const answer = await client.analytics.room({ id: roomId });
  const listed = VISITOR_LISTS.map((name) => readPath(answer, name)).find(
    (value): value is JsonObject[] => Array.isArray(value) && value.every(isObject),
  );
  if (listed) return listed.map((item) => readVisitor(item, ''));
  const links = await collectNewest((query) => client.links.list(query));
  const own = links.filter(
    (item) => readPath(item, 'room_id') === roomId || readPath(item, 'room.id') === roomId,
  );
  const ids = own.slice(0, MOST_LINKS).flatMap((item) => idOf(item, link.resource) ?? []);
  const each = await Promise.all(ids.map((id) => visitorsOfLink(client, id)));
  return each.flat();
}

async function visitorsOfLink(client: Client, id: string): Promise<Identified[]> {
  const items = await collectNewest((query) => client.analytics.visitors({ ...query, id }));
  return items.map((item) => {
    const one = readVisitor(item, id);
    // A person may come by several links: each first time counts for its link.
    return { ...one, id: `${id}-${String(one['id'])}` };
  });
}
