import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, createFormField, createRecordField, tryFormBodies } from '../fields/form-fields.ts';
import { parseRecipients } from '../fields/parse-email.ts';
import { proposal } from '../records/kinds.ts';
import { ASK_HELP, createAskField, createSendOutput, sendOrReturnDraft } from './ask-first.ts';
import { defineAction, type FormInput } from './define-action.ts';

export const sendProposal = defineAction<FormInput<'proposal', 'message', 'recipient_emails'>>({
  key: 'send_proposal',
  noun: 'Proposal',
  label: 'Send Proposal',
  description: 'Sends an existing draft proposal to its recipients by email, at once.',
  inputFields: [
    createRecordField(proposal, { helpText: 'The proposal to send. Its recipients get an email at once.' }),
    createFormField('recipient_emails', 'Recipient Emails', {
      list: true,
      helpText: 'Recipients, if the proposal has none yet: one email address per line.',
    }),
    createFormField('message', 'Message', { type: 'text', helpText: 'A short message, shown in the email.' }),
    createAskField(ASK_HELP),
    ...createExtraInputFields('proposals.send'),
  ],
  perform: (client, step) => {
    const { input } = step;
    const { proposal: id, message } = input;
    const bodies = FORM_BODIES.send({
      recipients: parseRecipients(input.recipient_emails, 'Recipient Emails'),
      message,
    });
    const extraFields = collectExtraFields(input);
    const send = () => tryFormBodies(bodies, extraFields, (body) => client.proposals.send({ ...body, id }));
    return sendOrReturnDraft(proposal, client, { step, id, send });
  },
  output: createSendOutput(proposal),
});
