import { FORM_BODIES } from '../../src/assumptions/index.ts';
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
import { createRoomPartOutput, toRoomPart } from '../records/room-parts.ts';
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
  perform: async (client, { input }) => {
    const { room: id, name } = input;
    const emails = parseRecipients(input.emails, 'Visitor Emails').map(({ email }) => email);
    const extraFields = collectExtraFields(input);
    const added = await tryFormBodies(FORM_BODIES.roomGroup({ name, emails }), extraFields, (body) =>
      client.rooms.addGroup({ ...body, id }),
    );
    return toRoomPart(added, { part: 'group', room: id, ...overrideFields({ name }, extraFields) });
  },
  output: createRoomPartOutput('Group', { id: 'grp_4f8s2v0q', name: 'Investors' }),
});
