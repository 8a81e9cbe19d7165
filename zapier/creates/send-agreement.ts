import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import { createFormField, createRecordField } from '../fields/form-fields.ts';
import type { StepContext } from '../platform/with-client.ts';
import { agreement } from '../records/kinds.ts';
import {
  ASK_HELP,
  createAskField,
  createSendOutput,
  type PreparedSend,
  prepareSend,
  sendOrReturnDraft,
} from './ask-first.ts';
import { defineAction, type FormInput } from './define-action.ts';

export type SendInput = FormInput<'agreement', 'message', 'signer_emails'>;

export const sendFields = [
  createRecordField(agreement, { helpText: 'The agreement to send. Its signers get an email at once.' }),
  createFormField('signer_emails', 'Signer Emails', {
    list: true,
    helpText:
      'Signers, one per line, as ann@example.com or Ann Lee <ann@example.com>. Leave empty if the agreement already has signers: they could be added twice.',
  }),
  createFormField('message', 'Message', {
    type: 'text',
    helpText: 'A short message to the signers, shown in the email.',
  }),
  ...createExtraInputFields('agreements.send'),
];

export const sendAgreement = defineAction<SendInput>({
  key: 'send_agreement',
  noun: 'Agreement',
  label: 'Send Agreement',
  description: 'Sends an existing draft agreement to its signers by email, at once.',
  inputFields: [...sendFields, createAskField(ASK_HELP)],
  perform: (step) => sendOrReturnDraft(agreement, step, prepareAgreement(step)),
  output: createSendOutput(agreement),
});

export function prepareAgreement({ client, input }: StepContext<SendInput>): PreparedSend {
  const { agreement: id, signer_emails: emails } = input;
  return prepareSend(input, { id, emails, label: 'Signer Emails' }, (body) => client.agreements.send(body));
}
