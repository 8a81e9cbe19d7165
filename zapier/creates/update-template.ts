import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, recordField, requireChange, sendForm, textInput } from '../fields/form-fields.ts';
import { document, template } from '../records/kinds.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction, type TextFormInput } from './define-action.ts';

export const updateTemplate = defineAction<TextFormInput<'template', 'name' | 'document' | 'description'>>({
  key: 'update_template',
  noun: 'Template',
  label: 'Update Template',
  description: 'Updates a template. Existing agreements do not change.',
  inputFields: [
    recordField(template, { helpText: 'The template to update.' }),
    textInput('name', 'New Name', { helpText: 'Leave empty to keep the current name.' }),
    recordField(document, { required: false, helpText: 'Leave empty to keep the current document.' }),
    textInput('description', 'Description', { type: 'text', helpText: 'Leave empty to keep the current description.' }),
    ...extraInputFields('templates.update', { existingRecords: template, knownNames: FORM_FIELD_NAMES.template }),
  ],
  perform: async (client, { input }) => {
    const { template: id, name, document: documentId, description } = input;
    const extraFields = collectExtraFields(input);
    requireChange({ name, documentId, description, ...extraFields });
    const bodies = FORM_BODIES.template({ name, documentId, description });
    const updated = await sendForm(bodies, extraFields, (body) => client.templates.update({ ...body, id }));
    return toWriteResult(template, updated, { id, name, document_id: documentId });
  },
  output: template,
});
