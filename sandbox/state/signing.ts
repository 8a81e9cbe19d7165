import { z } from 'zod';
import {
  AGREEMENT_ENDS,
  type AgreementEnd,
  type AgreementRecord,
  type ProposalRecord,
  type RecipientRecord,
} from './records.ts';
import type { Service } from './service.ts';

/** Why signing failed; the message is for the signer. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
}

export function markViewed(service: Service, agreement: AgreementRecord, recipient: RecipientRecord): void {
  if (recipient.status !== 'sent') return;
  recipient.status = 'viewed';
  recipient.viewed_at = service.clock.now();
  if (agreement.status === 'sent') agreement.status = 'viewed';
}

/** Returns the recipient with this email, or the first who has not signed. */
function findSigner(agreement: AgreementRecord, email: string | undefined): RecipientRecord {
  const signer = agreement.recipients.find((recipient) =>
    email === undefined ? recipient.signed_at === null : recipient.email.toLowerCase() === email.toLowerCase(),
  );
  if (!signer)
    throw new SigningError(
      email === undefined ? 'All signers have signed this agreement' : `${email} is not a signer of this agreement`,
    );
  return signer;
}

/** Signs for one recipient; the last signature completes the agreement and emits `envelope.signed`. */
export function signAgreement(
  service: Service,
  input: { agreementId: string; email?: string | undefined; name?: string | undefined },
): AgreementRecord {
  const agreement = getSentAgreement(service, input.agreementId);
  const signer = findSigner(agreement, input.email);
  if (signer.signed_at !== null) throw new SigningError(`${signer.email} has already signed this agreement`);
  markViewed(service, agreement, signer);
  const now = service.clock.now();
  Object.assign(signer, { status: 'signed', signed_at: now, signed_name: input.name?.trim() || signer.name });
  agreement.updated_at = now;
  if (agreement.recipients.some(({ signed_at }) => signed_at === null)) return agreement;
  agreement.status = 'signed';
  agreement.signed_at = now;
  service.emit('envelope.signed', {
    ...describeAgreement(agreement),
    signers: agreement.recipients.map(({ name, email, signed_at }) => ({ name, email, signed_at })),
    signed_at: now,
  });
  return agreement;
}

/** Returns an agreement that was sent and has not ended without its signatures. @throws SigningError */
function getSentAgreement(service: Service, id: string): AgreementRecord {
  const agreement = service.state.agreements.get(id);
  if (!agreement) throw new SigningError('This agreement does not exist');
  const { status } = agreement;
  if (status === 'draft') throw new SigningError('This agreement has not been sent');
  if (status === 'expired') throw new SigningError('This agreement has expired');
  if (hasEnded(agreement)) throw new SigningError(`This agreement was already ${status}`);
  return agreement;
}

/** An agreement that ended without its signatures. */
export type EndedAgreement = AgreementRecord & { readonly status: AgreementEnd };

export function hasEnded(agreement: AgreementRecord): agreement is EndedAgreement {
  return AGREEMENT_ENDS.some((end) => end === agreement.status);
}

/** Ends a sent agreement and emits `envelope.declined`, `envelope.voided` or `envelope.expired`. */
export function endAgreement(service: Service, input: { agreementId: string; status: AgreementEnd }): AgreementRecord {
  const agreement = getSentAgreement(service, input.agreementId);
  if (agreement.status === 'signed') throw new SigningError('This agreement was already signed');
  const now = service.clock.now();
  Object.assign(agreement, { status: input.status, updated_at: now });
  service.emit(`envelope.${input.status}`, describeAgreement(agreement));
  return agreement;
}

/** Returns what events say about an agreement. */
function describeAgreement({ id, name, status, document_id }: AgreementRecord) {
  return { agreement_id: id, name, status, document_id };
}

export function acceptProposal(service: Service, proposal: ProposalRecord): void {
  const now = service.clock.now();
  Object.assign(proposal, { status: 'accepted', accepted_at: now, updated_at: now });
  service.emit('proposal.accepted', { proposal_id: proposal.id, name: proposal.name, accepted_at: now });
}

export function declineProposal(service: Service, proposal: ProposalRecord): void {
  Object.assign(proposal, { status: 'declined', updated_at: service.clock.now() });
  service.emit('proposal.declined', { proposal_id: proposal.id, name: proposal.name });
}

export function markProposalViewed(service: Service, proposal: ProposalRecord): void {
  if (proposal.status !== 'sent') return;
  proposal.status = 'viewed';
  proposal.updated_at = service.clock.now();
}

export const AgreementEndSchema = z.enum(AGREEMENT_ENDS).describe(`one of ${AGREEMENT_ENDS.join(', ')}`);
