import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { readMore, recordField, requireChange, sendForm, textInput } from '../forms/form.ts';
import { moreFields } from '../forms/more-fields.ts';
import { document } from '../records/document.ts';
import { recordFrom } from '../records/record.ts';
import { template } from '../records/template.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  template: string;
  name?: string;
  document?: string;
  description?: string;
}

export const updateTemplate = action<Input>({
  key: 'update_template',
  noun: 'Template',
  label: 'Update Template',
  description: 'Updates a template. Agreements made from it before stay as they are.',
  inputFields: [
    recordField(template, { helpText: 'The template to change.' }),
    textInput('name', 'New Name', { helpText: 'Leave empty to keep the name.' }),
    recordField(document, { required: false, helpText: 'Leave empty to keep the document.' }),
    textInput('description', 'Description', { type: 'text', helpText: 'Leave empty to keep it.' }),
    ...moreFields('templates.update', { existing: template, known: FORM_FIELD_NAMES.template }),
  ],
  run: async (client, { input }) => {
    const { template: id, name, document: documentId, description } = input;
    const more = readMore(input);
    requireChange({ name, documentId, description, ...more });
    const bodies = FORM_BODIES.template({ name, documentId, description });
    const updated = await sendForm(bodies, more, (body) => client.templates.update({ ...body, id }));
    return recordFrom(template, updated, { id, name, document_id: documentId });
  },
  shows: template,
});
