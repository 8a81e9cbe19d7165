import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { readMore, sendForm, textInput } from '../forms/form.ts';
import { moreFields } from '../forms/more-fields.ts';
import { createMadeOnce } from '../records/made-once.ts';
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
    ...moreFields('rooms.create', { existing: room, known: FORM_FIELD_NAMES.room }),
  ],
  run: async (client, { z, input }) => {
    const once = createMadeOnce(z, { kind: room, text: input.name });
    const known = await once.known(client);
    if (known) return known;
    const created = await sendForm(FORM_BODIES.room(input), readMore(input), (body) =>
      client.rooms.create(body),
    );
    const shown = recordFrom(room, created, { name: input.name });
    await once.made(shown);
    return shown;
  },
  shows: room,
  operation: {
    // Of two at once for one name, the second sees what the first has made.
    lock: { key: 'make-room-{{bundle.inputData.name}}', scope: ['account'], timeout: 60 },
  },
});
