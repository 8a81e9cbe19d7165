import { z } from 'zod';
import { Rejection } from '../base/rejection.ts';
import type { AgreementRecord, ProposalRecord, RecipientRecord } from '../state/records.ts';
import { generateId, type Service } from '../state/service.ts';
import { createFieldRejection, Email } from './request-body.ts';

const RecipientBody = z.union([
  Email.transform((email) => ({ email })),
  z.looseObject({ email: Email, name: z.string().optional(), role: z.string().optional() }),
]);

/** Recipients in a body (a list, or one person at the top level), and the message to them. */
export const RecipientFields = {
  recipients: z.array(RecipientBody).optional(),
  signers: z.array(RecipientBody).optional(),
  email: Email.optional(),
  recipient_email: Email.optional(),
  message: z.string().nullish(),
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
      name: typeof name === 'string' ? name : getNameFromEmail(email),
      role: typeof role === 'string' ? role : 'signer',
      status: 'waiting',
      viewed_at: null,
      signed_at: null,
      signed_name: null,
      custom,
    };
  });
}

/**
 * Sends a draft to its recipients and those of the request, to each person once. A message of the request replaces the
 * draft's; `null` removes it.
 *
 * @throws Rejection if it was already sent or nobody would receive it
 */
export function sendToRecipients(
  service: Service,
  { kind, record, known }: { kind: string; record: AgreementRecord | ProposalRecord; known: RecipientInput },
): void {
  if (record.status !== 'draft')
    throw new Rejection('conflict', `This ${kind} was already sent; its status is "${record.status}"`);
  const emails = new Set(record.recipients.map(({ email }) => email.toLowerCase()));
  const added = parseRecipients(service, known).filter(({ email }) => !emails.has(email.toLowerCase()));
  const recipients = [...record.recipients, ...added];
  if (recipients.length === 0)
    throw createFieldRejection([{ field: 'recipients', message: `add a recipient before you send the ${kind}` }]);
  for (const recipient of recipients) recipient.status = 'sent';
  const now = service.clock.now();
  const { message = record.message } = known;
  Object.assign(record, { recipients, message, status: 'sent', sent_at: now, updated_at: now });
}

/** Returns "Ada Lovelace" for `ada.lovelace@example.com`. */
function getNameFromEmail(email: string): string {
  const [local = email] = email.split('@');
  return local
    .split(/[._+-]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
