import { createHash } from 'node:crypto';
import type { Trigger } from 'zapier-platform-core';
import type { JsonObject } from '../platform/client-core.ts';
import { contact } from '../records/kinds.ts';
import { getListFunction, sortNewestFirst } from '../records/read-list.ts';
import { getChangeOutputFields, type RecordWithId, toFlatRecord } from '../records/record-kind.ts';
import { createPollPerform } from './poll.ts';
import { pollChanges } from './poll-changes.ts';

const { id, ...sampleFields } = contact.sample;

export const updatedContact: Trigger = {
  key: 'updated_contact',
  noun: 'Contact Update',
  display: { label: 'Updated Contact', description: 'Triggers when a contact is added or changed.' },
  operation: {
    type: 'polling',
    perform: createPollPerform(async (client, step) => {
      const items = await pollChanges(
        {
          list: getListFunction(contact, client),
          trigger: 'updated_contact',
          getId: (item) => toFlatRecord(contact, item).id,
          getTime: (item) => getChangedAt(toFlatRecord(contact, item)),
          getVersion: (item) => toUpdate(item).id,
          isSettled: (item) => toFlatRecord(contact, item)['updated_at'] !== null,
        },
        step,
      );
      return sortNewestFirst(items.map(toUpdate), getChangedAt);
    }),
    sample: { id: `${id}-2026-10-01T07:20:00.000Z`, contact_id: id, ...sampleFields },
    outputFields: [{ key: 'id', label: 'Update ID', type: 'string', primary: true }, ...getChangeOutputFields(contact)],
  },
};

function getChangedAt(record: JsonObject): string | undefined {
  const changedAt = record['updated_at'] ?? record['created_at'];
  return typeof changedAt === 'string' ? changedAt : undefined;
}

/** The ID contains the time of the change, or a hash of the contact. */
function toUpdate(item: JsonObject): RecordWithId {
  const { id: contactId, ...fields } = toFlatRecord(contact, item);
  const version = fields['updated_at'] ?? createHash('sha256').update(JSON.stringify(item)).digest('hex').slice(0, 16);
  return { id: `${contactId}-${String(version)}`, contact_id: contactId, ...fields };
}
