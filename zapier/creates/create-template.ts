import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, recordField, sendForm, textInput } from '../fields/form-fields.ts';
import { createRecordDeduplicator } from '../records/create-once.ts';
import { document, template } from '../records/kinds.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction, type TextFormInput } from './define-action.ts';

export const createTemplate = defineAction<TextFormInput<'name', 'document' | 'description'>>({
  key: 'create_template',
  noun: 'Template',
  label: 'Create Template',
  description: 'Creates a template for agreements.',
  inputFields: [
    textInput('name', 'Template Name', {
      required: true,
      helpText: 'Your team sees this name in the list of templates.',
    }),
    recordField(document, { required: false, helpText: 'The document to sign.' }),
    textInput('description', 'Description', { type: 'text', helpText: 'When to use this template.' }),
    ...extraInputFields('templates.create', { existingRecords: template, knownNames: FORM_FIELD_NAMES.template }),
  ],
  perform: async (client, { z, input }) => {
    const { name, document: documentId, description } = input;
    return createRecordDeduplicator(z, { kind: template, text: name }).createOnce(client, async () => {
      const bodies = FORM_BODIES.template({ name, documentId, description });
      const created = await sendForm(bodies, collectExtraFields(input), (body) => client.templates.create(body));
      return toWriteResult(template, created, { name, document_id: documentId });
    });
  },
  output: template,
  operation: { lock: { key: 'make-template-{{bundle.inputData.name}}', scope: ['account'], timeout: 60 } },
});
