import { createHash } from 'node:crypto';
import type { Trigger } from 'zapier-platform-core';
import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { getCreatedAt, getTextField, type JsonObject, toIsoTime } from '../platform/client-core.ts';
import { contact } from '../records/kinds.ts';
import { getListFunction, sortNewestFirst } from '../records/read-list.ts';
import { getChangeOutputFields, getRecordId, type RecordWithId, toFlatRecord } from '../records/record-kind.ts';
import { createPollPerform } from './poll.ts';
import { pollChanges } from './poll-changes.ts';

const { id, ...sampleFields } = contact.sample;

export const updatedContact: Trigger = {
  key: 'updated_contact',
  noun: 'Contact Update',
  display: { label: 'Updated Contact', description: 'Triggers when a contact is added or changed.' },
  operation: {
    type: 'polling',
    perform: createPollPerform(async (step) => {
      const items = await pollChanges(
        {
          list: getListFunction(contact, step.client),
          trigger: 'updated_contact',
          getId: (item) => getRecordId(contact, item),
          getTime: (item) => getUpdatedAt(item) ?? getCreatedAt(item),
          getVersion: getUpdateId,
          isSettled: (item) => getUpdatedAt(item) !== undefined,
        },
        step,
      );
      return sortNewestFirst(items.map(toUpdate), ({ updated_at, created_at }) => updated_at ?? created_at);
    }),
    sample: { id: `${id}-2026-10-01T07:20:00.000Z`, contact_id: id, ...sampleFields },
    outputFields: [{ key: 'id', label: 'Update ID', type: 'string', primary: true }, ...getChangeOutputFields(contact)],
  },
};

function getUpdatedAt(item: JsonObject): string | undefined {
  return toIsoTime(getTextField(item, RECORD_FIELDS.updatedAt));
}

/** Contains the time of the change, or a hash of the contact. */
function getUpdateId(item: JsonObject): string {
  const version = getUpdatedAt(item) ?? createHash('sha256').update(JSON.stringify(item)).digest('hex').slice(0, 16);
  return `${getRecordId(contact, item)}-${version}`;
}

function toUpdate(item: JsonObject): RecordWithId {
  const { id: contact_id, ...fields } = toFlatRecord(contact, item);
  return { id: getUpdateId(item), contact_id, ...fields };
}
