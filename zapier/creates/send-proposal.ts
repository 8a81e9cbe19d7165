import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import { createFormField, createRecordField } from '../fields/form-fields.ts';
import { proposal } from '../records/kinds.ts';
import { ASK_HELP, createAskField, createSendOutput, prepareSend, sendOrReturnDraft } from './ask-first.ts';
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
      helpText:
        'Recipients, one email address per line. Leave empty if the proposal already has recipients: they could be added twice.',
    }),
    createFormField('message', 'Message', { type: 'text', helpText: 'A short message, shown in the email.' }),
    createAskField(ASK_HELP),
    ...createExtraInputFields('proposals.send'),
  ],
  perform: (step) => {
    const { client, input } = step;
    const { proposal: id, recipient_emails: emails } = input;
    const prepared = prepareSend(input, { id, emails, label: 'Recipient Emails' }, (body) =>
      client.proposals.send(body),
    );
    return sendOrReturnDraft(proposal, step, prepared);
  },
  output: createSendOutput(proposal),
});
