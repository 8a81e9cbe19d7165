import { FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, recordField, textInput } from '../fields/form-fields.ts';
import { parseSigners, signerFields } from '../fields/signers.ts';
import { InputError } from '../platform/client-core.ts';
import { createResumeStore } from '../platform/resume.ts';
import { agreement } from '../records/agreement.ts';
import { document } from '../records/document.ts';
import { template } from '../records/template.ts';
import { defineAction } from './define-action.ts';
import { SigningState, sendOnce } from './send-once.ts';

interface Input extends Record<string, unknown> {
  template?: string;
  file?: string;
  document?: string;
  signers?: unknown;
  name?: string;
  subject?: string;
  message?: string;
}

export const sendForSignature = defineAction<Input>({
  key: 'send_for_signature',
  noun: 'Agreement',
  label: 'Send for Signature',
  description: 'Creates an agreement from a template, a file or a document, and sends it to its signers.',
  inputFields: [
    recordField(template, {
      required: false,
      helpText: 'What is signed: give a template, a file or a document, one of the three.',
    }),
    {
      key: 'file',
      label: 'File',
      type: 'file',
      required: false,
      helpText: 'A file of an earlier step to be signed, where there is no template for it; up to 100 MB.',
    },
    recordField(document, {
      required: false,
      helpText: 'A document of the workspace to be signed, where there is no template for it.',
    }),
    signerFields,
    textInput('name', 'Agreement Name', { helpText: 'Leave empty to take the name of what is signed.' }),
    textInput('subject', 'Subject', { helpText: 'The subject of the e-mail that asks for the signature.' }),
    textInput('message', 'Message', { type: 'text', helpText: 'A few words to the signers in that e-mail.' }),
    ...extraInputFields('agreements.create', {
      existingRecords: agreement,
      knownNames: [...FORM_FIELD_NAMES.agreement, 'subject'],
    }),
  ],
  perform: async (client, step) => {
    const { z, input } = step;
    const signers = parseSigners(input.signers);
    const extraFields = collectExtraFields(input);
    const sources = [input.template, input.file, input.document].filter(Boolean);
    if (sources.length !== 1)
      throw new InputError(
        'Give what is to be signed: a template, a file or a document, one of the three and not more.',
      );
    const resumeStore = createResumeStore(step, { step: 'sign', input, schema: SigningState });
    const { name, subject, message, template: templateId, document: documentId } = input;
    const source = { template: templateId || undefined, document: documentId || undefined };
    const form = { name: name || undefined, ...source, signers, subject, message };
    const result = await sendOnce({
      client,
      z,
      resumeStore,
      form,
      extraFields,
      file: input.file || undefined,
    });
    await resumeStore.clear();
    return result;
  },
  output: agreement,
  operation: {
    // Of two runs at once, the second sees how far the first has come.
    lock: {
      key: 'sign-{{bundle.inputData.name}}-{{bundle.inputData.template}}-{{bundle.inputData.document}}-{{bundle.inputData.file}}',
      scope: ['account'],
      timeout: 120,
    },
  },
});
