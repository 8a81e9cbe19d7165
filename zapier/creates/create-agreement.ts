import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, parseRecipients, recordField, sendForm, textInput } from '../fields/form-fields.ts';
import { InputError } from '../platform/client-core.ts';
import { agreement, document, template } from '../records/kinds.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction } from './define-action.ts';

interface Input extends Record<string, unknown> {
  name?: string;
  template?: string;
  document?: string;
  signer_emails?: string[];
  message?: string;
}

export const createAgreement = defineAction<Input>({
  key: 'create_agreement',
  noun: 'Agreement',
  label: 'Create Agreement',
  description: 'Creates a draft agreement. Use Send for Signature to create and send in one step.',
  inputFields: [
    textInput('name', 'Agreement Name', { helpText: 'Leave empty to use the name of the template or document.' }),
    recordField(template, { required: false, helpText: 'Choose a template or a document.' }),
    recordField(document, { required: false, helpText: 'The document to sign. Leave empty if you chose a template.' }),
    textInput('signer_emails', 'Signer Emails', {
      list: true,
      helpText: 'Signers, one per line, as ann@example.com or Ann Lee <ann@example.com>.',
    }),
    textInput('message', 'Message', { type: 'text', helpText: 'A short message to the signers.' }),
    ...extraInputFields('agreements.create', { existingRecords: agreement, knownNames: FORM_FIELD_NAMES.agreement }),
  ],
  perform: async (client, { input }) => {
    const { name, template: templateId, document: documentId, message } = input;
    if (!templateId && !documentId)
      throw new InputError('There is nothing to sign. Choose a template or a document in this step.');
    const recipients = parseRecipients(input.signer_emails);
    const bodies = FORM_BODIES.agreement({ name, templateId, documentId, recipients, message });
    const created = await sendForm(bodies, collectExtraFields(input), (body) => client.agreements.create(body));
    const sentFields = { name, template_id: templateId, document_id: documentId };
    return toWriteResult(agreement, created, sentFields);
  },
  output: agreement,
});
