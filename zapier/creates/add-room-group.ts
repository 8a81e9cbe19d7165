import { FORM_BODIES, GROUP_MEMBER_FIELDS } from '../../src/assumptions/index.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import {
  collectExtraFields,
  createFormField,
  createRecordField,
  overrideFields,
  tryFormBodies,
} from '../fields/form-fields.ts';
import { parseRecipients } from '../fields/parse-email.ts';
import { room } from '../records/kinds.ts';
import { createRoomPartOutput, getAddedPart, toRoomPart } from '../records/room-parts.ts';
import { findMissingEmail } from './ask-first.ts';
import { defineAction, type FormInput } from './define-action.ts';

export const addRoomGroup = defineAction<FormInput<'room' | 'name', never, 'emails'>>({
  key: 'add_room_group',
  noun: 'Visitor Group',
  label: 'Add Visitor Group to Room',
  description: 'Creates a group of visitors in a room.',
  inputFields: [
    createRecordField(room, { helpText: 'The room to add the group to.' }),
    createFormField('name', 'Group Name', { required: true, helpText: 'For example Investors or Legal Counsel.' }),
    createFormField('emails', 'Visitor Emails', {
      list: true,
      helpText: 'Members of the group: one email address per line.',
    }),
    ...createExtraInputFields('rooms.addGroup'),
  ],
  perform: async ({ client, z, input }) => {
    const { room: id, name } = input;
    const emails = parseRecipients(input.emails, 'Visitor Emails').map(({ email }) => email);
    const extraFields = collectExtraFields(input);
    const added = await tryFormBodies(FORM_BODIES.roomGroup({ name, emails }), extraFields, (body) =>
      client.rooms.addGroup({ ...body, id }),
    );
    const members = [overrideFields({ emails }, extraFields).emails].flat().map(String);
    const sent = { part: 'group', room: id, ...overrideFields({ name }, extraFields) } as const;
    const missing = findMissingEmail(getAddedPart(added, sent), members, GROUP_MEMBER_FIELDS);
    if (missing !== undefined)
      throw new z.errors.HaltedError(
        `The group was added, but Docshare does not show that ${missing.slice(0, 60)} is in it. Add the visitors in Docshare, and do not replay this run.`,
      );
    return toRoomPart(added, sent);
  },
  output: createRoomPartOutput('Group', { id: 'grp_4f8s2v0q', name: 'Investors' }),
});
