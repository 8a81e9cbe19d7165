import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { readMore, readPeople, recordField, sendForm, textInput } from '../forms/form.ts';
import { moreFields, namesIn } from '../forms/more-fields.ts';
import { agreement } from '../records/agreement.ts';
import { recordFrom } from '../records/record.ts';
import { action } from './action.ts';

export interface SendInput extends Record<string, unknown> {
  agreement: string;
  signer_emails?: string[];
  message?: string;
}

export const sendFields = [
  recordField(agreement, { helpText: 'The agreement to send. Its signers get an e-mail at once.' }),
  textInput('signer_emails', 'Signer Emails', {
    list: true,
    helpText:
      'Who signs, where the agreement does not name its signers yet. One a line: ann@example.com, or Ann Lee <ann@example.com>.',
  }),
  textInput('message', 'Message', {
    type: 'text',
    helpText: 'A few words to the signers, shown in the e-mail that asks for the signature.',
  }),
  ...moreFields('agreements.send', {
    known: namesIn(FORM_BODIES.send({ recipients: [{ email: '', name: '' }], message: '' })),
  }),
];

export const sendAgreement = action<SendInput>({
  key: 'send_agreement',
  noun: 'Agreement',
  label: 'Send Agreement',
  description: 'Sends an agreement to its signers by e-mail.',
  inputFields: sendFields,
  run: async (client, { input }) => {
    const { agreement: id, message } = input;
    const bodies = FORM_BODIES.send({ recipients: readPeople(input.signer_emails), message });
    const sent = await sendForm(bodies, readMore(input), (body) => client.agreements.send({ ...body, id }));
    return recordFrom(agreement, sent, { id });
  },
  shows: agreement,
});
