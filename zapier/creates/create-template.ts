import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { readMore, recordField, sendForm, textInput } from '../forms/form.ts';
import { moreFields } from '../forms/more-fields.ts';
import { document } from '../records/document.ts';
import { createMadeOnce } from '../records/made-once.ts';
import { recordFrom } from '../records/record.ts';
import { template } from '../records/template.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  name: string;
  document?: string;
  description?: string;
}

export const createTemplate = action<Input>({
  key: 'create_template',
  noun: 'Template',
  label: 'Create Template',
  description: 'Creates a template that agreements can be made from.',
  inputFields: [
    textInput('name', 'Template Name', { required: true, helpText: 'What your team picks it by.' }),
    recordField(document, {
      required: false,
      helpText: 'The document that agreements of this template show.',
    }),
    textInput('description', 'Description', { type: 'text', helpText: 'When to use this template.' }),
    ...moreFields('templates.create', { existing: template, known: FORM_FIELD_NAMES.template }),
  ],
  run: async (client, { z, input }) => {
    const once = createMadeOnce(z, { kind: template, text: input.name });
    const known = await once.known(client);
    if (known) return known;
    const { name, document: documentId, description } = input;
    const bodies = FORM_BODIES.template({ name, documentId, description });
    const created = await sendForm(bodies, readMore(input), (body) => client.templates.create(body));
    const shown = recordFrom(template, created, { name, document_id: documentId });
    await once.made(shown);
    return shown;
  },
  shows: template,
  operation: {
    // Of two at once for one name, the second sees what the first has made.
    lock: { key: 'make-template-{{bundle.inputData.name}}', scope: ['account'], timeout: 60 },
  },
});
