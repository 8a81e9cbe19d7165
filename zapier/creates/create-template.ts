import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, recordField, sendForm, textInput } from '../fields/form-fields.ts';
import { createRecordDeduplicator } from '../records/create-once.ts';
import { document } from '../records/document.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { template } from '../records/template.ts';
import { defineAction } from './define-action.ts';

interface Input extends Record<string, unknown> {
  name: string;
  document?: string;
  description?: string;
}

export const createTemplate = defineAction<Input>({
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
    ...extraInputFields('templates.create', {
      existingRecords: template,
      knownNames: FORM_FIELD_NAMES.template,
    }),
  ],
  perform: async (client, { z, input }) => {
    const deduplicator = createRecordDeduplicator(z, { kind: template, text: input.name });
    const recentTemplate = await deduplicator.findRecentlyCreated(client);
    if (recentTemplate) return recentTemplate;
    const { name, document: documentId, description } = input;
    const bodies = FORM_BODIES.template({ name, documentId, description });
    const created = await sendForm(bodies, collectExtraFields(input), (body) =>
      client.templates.create(body),
    );
    const result = toWriteResult(template, created, { name, document_id: documentId });
    await deduplicator.recordCreated(result);
    return result;
  },
  output: template,
  operation: {
    // Of two at once for one name, the second sees what the first has made.
    lock: { key: 'make-template-{{bundle.inputData.name}}', scope: ['account'], timeout: 60 },
  },
});
