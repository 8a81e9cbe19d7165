import { FORM_BODIES, getTemplateValueBodies } from '../../src/assumptions/index.ts';
import { createFormField, createRecordField } from '../fields/form-fields.ts';
import { parseRecipients } from '../fields/parse-email.ts';
import { loadTemplateFields, parseTemplateValues } from '../fields/template-fields.ts';
import { InputError } from '../platform/client-core.ts';
import { agreement, document, template } from '../records/kinds.ts';
import type { FormInput } from './define-action.ts';
import { defineRecordAction } from './define-record-action.ts';

export const createAgreement = defineRecordAction<
  FormInput<never, 'name' | 'template' | 'document' | 'message', 'signer_emails'>
>('agreements.create', agreement, {
  description:
    'Creates a draft agreement, which a person can send in Docshare. Use Send for Signature to create and send in one step.',
  inputFields: [
    createFormField('name', 'Agreement Name', { helpText: 'Leave empty to use the name of the template or document.' }),
    createRecordField(template, {
      required: false,
      altersDynamicFields: true,
      helpText: 'Choose a template or a document.',
    }),
    createRecordField(document, {
      required: false,
      helpText: 'The document to sign. Leave empty if you chose a template.',
    }),
    createFormField('signer_emails', 'Signer Emails', {
      list: true,
      helpText: 'Signers, one per line, as ann@example.com or Ann Lee <ann@example.com>.',
    }),
    loadTemplateFields,
    createFormField('message', 'Message', { type: 'text', helpText: 'A short message to the signers.' }),
  ],
  toBodies: (input) => {
    const { name, template: templateId, document: documentId, signer_emails, message } = input;
    if (!templateId && !documentId)
      throw new InputError('There is nothing to sign. Choose a template or a document in this step.');
    if (templateId && documentId)
      throw new InputError('Choose either a template or a document in this step, not both.');
    const recipients = parseRecipients(signer_emails, 'Signer Emails');
    const bodies = FORM_BODIES.agreement({ name, templateId, documentId, recipients, message });
    return getTemplateValueBodies(parseTemplateValues(input)).flatMap((values) =>
      bodies.map((body) => ({ ...body, ...values })),
    );
  },
  status: 'draft',
  toSentFields: (input) => ({ name: input.name, template_id: input.template, document_id: input.document }),
});
