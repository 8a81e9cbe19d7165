import { FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, createFormField, createRecordField, overrideFields } from '../fields/form-fields.ts';
import { parseSigners, type SignerRow, signerFields } from '../fields/signers.ts';
import { loadTemplateFields, parseTemplateValues } from '../fields/template-fields.ts';
import { InputError } from '../platform/client-core.ts';
import { createResumeStore } from '../platform/resume.ts';
import { agreement, document, template } from '../records/kinds.ts';
import { createAskField, createSendOutput, shouldAskFirst } from './ask-first.ts';
import { defineAction, type FormInput } from './define-action.ts';
import { SigningState, sendOnce } from './send-once.ts';

type Texts = 'template' | 'file' | 'document' | 'name' | 'subject' | 'message';

export const sendForSignature = defineAction<FormInput<never, Texts> & { signers?: SignerRow[] }>({
  key: 'send_for_signature',
  noun: 'Agreement',
  label: 'Send for Signature',
  description:
    'Sends a template, file or document to its signers by email, at once. Choose Yes in Ask a Person First to create only the draft.',
  inputFields: [
    createRecordField(template, {
      required: false,
      altersDynamicFields: true,
      helpText: 'The template to sign. Choose a template, a file or a document.',
    }),
    createFormField('file', 'File', {
      type: 'file',
      helpText: 'A file from an earlier step to sign, up to 100 MB. Leave empty if you chose a template.',
    }),
    createRecordField(document, {
      required: false,
      helpText: 'A document of your workspace to sign. Leave empty if you chose a template or a file.',
    }),
    signerFields,
    loadTemplateFields,
    createFormField('name', 'Agreement Name', {
      helpText: 'Leave empty to use the name of the template, file or document.',
    }),
    createFormField('subject', 'Subject', { helpText: 'Subject of the email to the signers.' }),
    createFormField('message', 'Message', {
      type: 'text',
      helpText: 'A short message to the signers, shown in the email.',
    }),
    createAskField(
      'Choose Yes to create the draft without sending it. The step returns the Draft URL, where a person reviews and sends it.',
    ),
    ...createExtraInputFields('agreements.create', {
      existingRecords: agreement,
      knownNames: [...FORM_FIELD_NAMES.agreement, 'subject'],
    }),
  ],
  perform: async (step) => {
    const { client, z, input } = step;
    const signers = parseSigners(input.signers);
    const extraFields = collectExtraFields(input);
    const sources = [input.template, input.file, input.document].filter(Boolean);
    if (sources.length !== 1) throw new InputError('Choose exactly one to sign: a template, a file or a document.');
    const resumeStore = createResumeStore(step, { step: 'sign', input, schema: SigningState });
    const { name, subject, message, template: templateId, document: documentId } = input;
    // Both requests contain the texts: the one that creates the draft, and the one that sends it.
    const texts = overrideFields({ name, subject, message }, extraFields);
    const values = parseTemplateValues(input);
    const form = { ...texts, template: templateId, document: documentId, signers, values };
    const result = await sendOnce({
      client,
      z,
      resumeStore,
      form,
      extraFields,
      file: input.file,
      keepsDraft: shouldAskFirst(input),
    });
    await resumeStore.clear();
    return result;
  },
  output: createSendOutput(agreement),
  lock: {
    key: 'sign-{{bundle.inputData.name}}-{{bundle.inputData.template}}-{{bundle.inputData.document}}-{{bundle.inputData.file}}',
    timeout: 120,
  },
});
