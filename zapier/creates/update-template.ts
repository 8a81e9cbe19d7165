import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createFormField, createRecordField } from '../fields/form-fields.ts';
import { document, template } from '../records/kinds.ts';
import type { FormInput } from './define-action.ts';
import { defineRecordAction } from './define-record-action.ts';

export const updateTemplate = defineRecordAction<FormInput<'template', 'name' | 'document' | 'description'>>(
  'templates.update',
  template,
  {
    description: 'Updates a template. Existing agreements do not change.',
    inputFields: [
      createRecordField(template, { helpText: 'The template to update.' }),
      createFormField('name', 'New Name', { helpText: 'Leave empty to keep the current name.' }),
      createRecordField(document, { required: false, helpText: 'Leave empty to keep the current document.' }),
      createFormField('description', 'Description', {
        type: 'text',
        helpText: 'Leave empty to keep the current description.',
      }),
    ],
    toBodies: ({ name, document: documentId, description }) => FORM_BODIES.template({ name, documentId, description }),
    toSentFields: ({ name, document: documentId, description }) => ({ name, document_id: documentId, description }),
  },
);
