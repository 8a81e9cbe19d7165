import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createFormField, createRecordField } from '../fields/form-fields.ts';
import { document, template } from '../records/kinds.ts';
import type { FormInput } from './define-action.ts';
import { defineRecordAction } from './define-record-action.ts';

export const createTemplate = defineRecordAction<FormInput<'name', 'document' | 'description'>>(
  'templates.create',
  template,
  {
    description: 'Creates a template for agreements.',
    inputFields: [
      createFormField('name', 'Template Name', {
        required: true,
        helpText: 'Your team sees this name in the list of templates.',
      }),
      createRecordField(document, { required: false, helpText: 'The document to sign.' }),
      createFormField('description', 'Description', { type: 'text', helpText: 'When to use this template.' }),
    ],
    toBodies: ({ name, document: documentId, description }) => FORM_BODIES.template({ name, documentId, description }),
    toSentFields: ({ name, document: documentId }) => ({ name, document_id: documentId }),
    uniqueField: 'name',
  },
);
