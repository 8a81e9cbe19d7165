import { FORM_BODIES, FORM_NAMES } from '../../src/assumptions/index.ts';
import { additionalFields, readMore, sendForm, textInput } from '../forms/form.ts';
import { learnedFields } from '../forms/learned-fields.ts';
import { recordFrom } from '../records/record.ts';
import { room } from '../records/room.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  name: string;
  description?: string;
}

export const createRoom = action<Input>({
  key: 'create_room',
  noun: 'Room',
  label: 'Create Room',
  description: 'Creates a gated room for documents.',
  inputFields: [
    textInput('name', 'Room Name', { required: true, helpText: 'Visitors see it at the top of the room.' }),
    textInput('description', 'Description', { type: 'text', helpText: 'What the room is for.' }),
    additionalFields,
    learnedFields(room, FORM_NAMES.room),
  ],
  run: async (client, { input }) => {
    const created = await sendForm(FORM_BODIES.room(input), readMore(input), (body) =>
      client.rooms.create(body),
    );
    return recordFrom(room, created, { name: input.name });
  },
  shows: room,
});
