import { sendBodies } from '../../src/assumptions.ts';
import { firstAccepted } from '../core.ts';
import { additionalFields, readAdditionalFields, recordField } from '../form.ts';
import { readRecord } from '../record.ts';
import { agreement } from '../records/agreement.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  agreement: string;
  signer_emails?: string[];
  message?: string;
  fields?: Record<string, unknown>;
}

export const sendAgreement = action<Input>({
  key: 'send_agreement',
  noun: 'Agreement',
  label: 'Send Agreement',
  description: 'Sends an agreement to its signers by e-mail.',
  inputFields: [
    recordField(agreement, { helpText: 'The agreement to send. Its signers get an e-mail at once.' }),
    {
      key: 'signer_emails',
      label: 'Signer Emails',
      type: 'string',
      list: true,
      required: false,
      helpText: 'Who signs, where the agreement does not name its signers yet: one address a line.',
    },
    {
      key: 'message',
      label: 'Message',
      type: 'text',
      required: false,
      helpText: 'A few words to the signers, shown in the e-mail that asks for the signature.',
    },
    additionalFields,
  ],
  run: async (client, { input }) => {
    const { agreement: id, signer_emails = [], message } = input;
    const bodies = sendBodies({
      recipients: signer_emails.map((email) => ({ email })),
      ...(message === undefined ? {} : { message }),
    });
    const more = readAdditionalFields(input.fields);
    const sent = await firstAccepted(bodies, (body) => client.agreements.send({ ...body, ...more, id }));
    return { ...readRecord(agreement, { ...sent, id }), raw: sent };
  },
  shows: agreement,
});
