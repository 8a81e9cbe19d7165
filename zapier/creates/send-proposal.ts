import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { extraInputFields, getBodyFieldNames } from '../fields/extra-input-fields.ts';
import {
  collectExtraFields,
  parseRecipients,
  recordField,
  sendForm,
  textInput,
} from '../fields/form-fields.ts';
import { proposal } from '../records/proposal.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction } from './define-action.ts';

interface Input extends Record<string, unknown> {
  proposal: string;
  recipient_emails?: string[];
  message?: string;
}

export const sendProposal = defineAction<Input>({
  key: 'send_proposal',
  noun: 'Proposal',
  label: 'Send Proposal',
  description: 'Sends a proposal to its recipients by e-mail.',
  inputFields: [
    recordField(proposal, { helpText: 'The proposal to send. Its recipients get an e-mail at once.' }),
    textInput('recipient_emails', 'Recipient Emails', {
      list: true,
      helpText: 'Who gets it, where the proposal does not name its recipients yet: one a line.',
    }),
    textInput('message', 'Message', { type: 'text', helpText: 'A few words for the e-mail.' }),
    ...extraInputFields('proposals.send', {
      knownNames: getBodyFieldNames(FORM_BODIES.send({ recipients: [{ email: '', name: '' }], message: '' })),
    }),
  ],
  perform: async (client, { input }) => {
    const { proposal: id, message } = input;
    const bodies = FORM_BODIES.send({ recipients: parseRecipients(input.recipient_emails), message });
    const sent = await sendForm(bodies, collectExtraFields(input), (body) =>
      client.proposals.send({ ...body, id }),
    );
    return toWriteResult(proposal, sent, { id });
  },
  output: proposal,
});
