import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { readMore, readPeople, recordField, sendForm, textInput } from '../forms/form.ts';
import { moreFields, namesIn } from '../forms/more-fields.ts';
import { room } from '../records/room.ts';
import { partShown, readPart } from '../records/room-parts.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  room: string;
  name: string;
  emails?: string[];
}

export const addRoomGroup = action<Input>({
  key: 'add_room_group',
  noun: 'Visitor Group',
  label: 'Add Visitor Group to Room',
  description: 'Creates a group of visitors in a room.',
  inputFields: [
    recordField(room, { helpText: 'The room that gets the group.' }),
    textInput('name', 'Group Name', {
      required: true,
      helpText: 'For example "Investors" or "Legal counsel".',
    }),
    textInput('emails', 'Visitor Emails', {
      list: true,
      helpText: 'Who belongs to the group: one e-mail address a line.',
    }),
    ...moreFields('rooms.addGroup', { known: namesIn(FORM_BODIES.roomGroup({ name: '', emails: [] })) }),
  ],
  run: async (client, { input }) => {
    const { room: id, name } = input;
    const emails = readPeople(input.emails).map(({ email }) => email);
    const added = await sendForm(FORM_BODIES.roomGroup({ name, emails }), readMore(input), (body) =>
      client.rooms.addGroup({ ...body, id }),
    );
    return readPart(added, { part: 'group', room: id, name });
  },
  shows: partShown('Group', { id: 'grp_4f8s2v0q', name: 'Investors' }),
});
