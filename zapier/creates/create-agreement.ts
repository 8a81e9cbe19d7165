import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import {
  collectExtraFields,
  parseRecipients,
  recordField,
  sendForm,
  textInput,
} from '../fields/form-fields.ts';
import { InputError } from '../platform/client-core.ts';
import { agreement } from '../records/agreement.ts';
import { document } from '../records/document.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { template } from '../records/template.ts';
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
  description: 'Creates an agreement from a template or a document, ready to be sent.',
  inputFields: [
    textInput('name', 'Agreement Name', {
      helpText: 'Leave empty to take the name of the template or document.',
    }),
    recordField(template, {
      required: false,
      helpText: 'Give a template or a document: one of the two is needed.',
    }),
    recordField(document, {
      required: false,
      helpText: 'The document to sign, where there is no template for it.',
    }),
    textInput('signer_emails', 'Signer Emails', {
      list: true,
      helpText: 'Who signs, one a line: ann@example.com, or Ann Lee <ann@example.com> to give the name too.',
    }),
    textInput('message', 'Message', { type: 'text', helpText: 'A few words to the signers.' }),
    ...extraInputFields('agreements.create', {
      existingRecords: agreement,
      knownNames: FORM_FIELD_NAMES.agreement,
    }),
  ],
  perform: async (client, { input }) => {
    const { name, template: templateId, document: documentId, message } = input;
    if (!templateId && !documentId)
      throw new InputError(
        'An agreement needs something to sign. Pick a template or a document in this step.',
      );
    const recipients = parseRecipients(input.signer_emails);
    const bodies = FORM_BODIES.agreement({ name, templateId, documentId, recipients, message });
    const created = await sendForm(bodies, collectExtraFields(input), (body) =>
      client.agreements.create(body),
    );
    const sentFields = { name, template_id: templateId, document_id: documentId };
    return toWriteResult(agreement, created, sentFields);
  },
  output: agreement,
});
