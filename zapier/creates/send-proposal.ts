import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { readMore, readPeople, recordField, sendForm, textInput } from '../forms/form.ts';
import { moreFields, namesIn } from '../forms/more-fields.ts';
import { proposal } from '../records/proposal.ts';
import { recordFrom } from '../records/record.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  proposal: string;
  recipient_emails?: string[];
  message?: string;
}

export const sendProposal = action<Input>({
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
    ...moreFields('proposals.send', {
      known: namesIn(FORM_BODIES.send({ recipients: [{ email: '', name: '' }], message: '' })),
    }),
  ],
  run: async (client, { input }) => {
    const { proposal: id, message } = input;
    const bodies = FORM_BODIES.send({ recipients: readPeople(input.recipient_emails), message });
    const sent = await sendForm(bodies, readMore(input), (body) => client.proposals.send({ ...body, id }));
    return recordFrom(proposal, sent, { id });
  },
  shows: proposal,
});
