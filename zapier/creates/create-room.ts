import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, sendForm, textInput } from '../fields/form-fields.ts';
import { createRecordDeduplicator } from '../records/create-once.ts';
import { room } from '../records/kinds.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction, type TextFormInput } from './define-action.ts';

export const createRoom = defineAction<TextFormInput<'name', 'description'>>({
  key: 'create_room',
  noun: 'Room',
  label: 'Create Room',
  description: 'Creates a data room.',
  inputFields: [
    textInput('name', 'Room Name', { required: true, helpText: 'Visitors see this name at the top of the room.' }),
    textInput('description', 'Description', { type: 'text', helpText: 'Purpose of the room.' }),
    ...extraInputFields('rooms.create', { existingRecords: room, knownNames: FORM_FIELD_NAMES.room }),
  ],
  perform: async (client, { z, input }) => {
    const { name } = input;
    return createRecordDeduplicator(z, { kind: room, text: name }).createOnce(client, async () => {
      const created = await sendForm(FORM_BODIES.room(input), collectExtraFields(input), (body) =>
        client.rooms.create(body),
      );
      return toWriteResult(room, created, { name });
    });
  },
  output: room,
  operation: { lock: { key: 'make-room-{{bundle.inputData.name}}', scope: ['account'], timeout: 60 } },
});
