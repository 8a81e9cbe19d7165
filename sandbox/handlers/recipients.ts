import { z } from 'zod';
import { nameFromEmail } from '../base/name-from-email.ts';
import type { RecipientRecord } from '../state/records.ts';
import { generateId, type Service } from '../state/service.ts';
import { Email } from './request-body.ts';

const RecipientBody = z.union([
  Email.transform((email) => ({ email })),
  z.looseObject({ email: Email, name: z.string().optional(), role: z.string().optional() }),
]);

/** Recipients in a body: a list, or one person at the top level. */
export const RecipientFields = {
  recipients: z.array(RecipientBody).optional(),
  signers: z.array(RecipientBody).optional(),
  email: Email.optional(),
  recipient_email: Email.optional(),
};

type RecipientInput = z.infer<z.ZodObject<typeof RecipientFields>>;

export function parseRecipients(service: Service, known: RecipientInput): RecipientRecord[] {
  const single = known.email ?? known.recipient_email;
  const recipients = known.recipients ?? known.signers ?? (single === undefined ? [] : [{ email: single }]);
  return recipients.map((person) => {
    const { email, name, role, ...custom } = { name: undefined, role: undefined, ...person };
    return {
      id: generateId(service, 'recipient'),
      email,
      name: typeof name === 'string' ? name : nameFromEmail(email),
      role: typeof role === 'string' ? role : 'signer',
      status: 'waiting',
      viewed_at: null,
      signed_at: null,
      signed_name: null,
      custom,
    };
  });
}
