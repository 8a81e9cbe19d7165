import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createFormField } from '../fields/form-fields.ts';
import { room } from '../records/kinds.ts';
import type { FormInput } from './define-action.ts';
import { defineRecordAction } from './define-record-action.ts';

export const createRoom = defineRecordAction<FormInput<'name', 'description'>>('rooms.create', room, {
  description: 'Creates a data room.',
  inputFields: [
    createFormField('name', 'Room Name', {
      required: true,
      helpText: 'Visitors see this name at the top of the room.',
    }),
    createFormField('description', 'Description', { type: 'text', helpText: 'Purpose of the room.' }),
  ],
  toBodies: FORM_BODIES.room,
  toSentFields: ({ name }) => ({ name }),
  uniqueField: 'name',
});
