import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, formField, recordField, sendForm } from '../fields/form-fields.ts';
import { parseRecipients } from '../fields/parse-email.ts';
import type { Client, JsonObject } from '../platform/client-core.ts';
import { agreement, proposal } from '../records/kinds.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction, type FormInput } from './define-action.ts';

export type SendInput = FormInput<'agreement', 'message', 'signer_emails'>;

export const sendFields = [
  recordField(agreement, { helpText: 'The agreement to send. Its signers get an email at once.' }),
  formField('signer_emails', 'Signer Emails', {
    list: true,
    helpText: 'Signers, if the agreement has none yet: one per line, as ann@example.com or Ann Lee <ann@example.com>.',
  }),
  formField('message', 'Message', { type: 'text', helpText: 'A short message to the signers, shown in the email.' }),
  ...extraInputFields('agreements.send'),
];

export const sendAgreement = defineAction<SendInput>({
  key: 'send_agreement',
  noun: 'Agreement',
  label: 'Send Agreement',
  description: 'Sends an agreement to its signers by email.',
  inputFields: sendFields,
  perform: async (client, { input }) =>
    toWriteResult(agreement, await sendByForm(client, input), { id: input.agreement }),
  output: agreement,
});

export const sendProposal = defineAction<FormInput<'proposal', 'message', 'recipient_emails'>>({
  key: 'send_proposal',
  noun: 'Proposal',
  label: 'Send Proposal',
  description: 'Sends a proposal to its recipients by email.',
  inputFields: [
    recordField(proposal, { helpText: 'The proposal to send. Its recipients get an email at once.' }),
    formField('recipient_emails', 'Recipient Emails', {
      list: true,
      helpText: 'Recipients, if the proposal has none yet: one email address per line.',
    }),
    formField('message', 'Message', { type: 'text', helpText: 'A short message, shown in the email.' }),
    ...extraInputFields('proposals.send'),
  ],
  perform: async (client, { input }) => {
    const { proposal: id, message } = input;
    const recipients = parseRecipients(input.recipient_emails, 'Recipient Emails');
    const bodies = FORM_BODIES.send({ recipients, message });
    const sent = await sendForm(bodies, collectExtraFields(input), (body) => client.proposals.send({ ...body, id }));
    return toWriteResult(proposal, sent, { id });
  },
  output: proposal,
});

export function sendByForm(client: Client, input: SendInput): Promise<JsonObject> {
  const { agreement: id, message } = input;
  const bodies = FORM_BODIES.send({ recipients: parseRecipients(input.signer_emails, 'Signer Emails'), message });
  return sendForm(bodies, collectExtraFields(input), (body) => client.agreements.send({ ...body, id }));
}
