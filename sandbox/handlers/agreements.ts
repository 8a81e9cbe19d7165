import { z } from 'zod';
import type { AgreementRecord } from '../state/records.ts';
import { createBaseRecord, type Service } from '../state/service.ts';
import { findRecord } from '../state/state.ts';
import { getAgreementFile } from '../storage/agreement-file.ts';
import type { FileView } from '../storage/stored-file.ts';
import type { HandlerCall } from './handler.ts';
import { parseRecipients, RecipientFields, sendToRecipients } from './recipients.ts';
import { parseBody, Reference } from './request-body.ts';
import { createListResult, type ListResult, type ResourceView } from './view.ts';

export const AgreementBody = z.object({
  ...RecipientFields,
  name: z.string().min(1).optional(),
  title: z.string().min(1).optional(),
  document_id: z.string().min(1).nullish(),
  template_id: Reference.nullish(),
});
export const AgreementSendBody = z.object(RecipientFields);

export function toAgreementView(service: Service, agreement: AgreementRecord): ResourceView {
  return {
    object: 'agreement',
    ...agreement,
    recipients: agreement.recipients.map((recipient) => ({
      ...recipient,
      signing_url: `${service.origin}/s/${encodeURIComponent(agreement.id)}/${encodeURIComponent(recipient.id)}`,
    })),
  };
}

function list({ service }: HandlerCall): ListResult {
  return createListResult(service.state.agreements, (agreement) => toAgreementView(service, agreement));
}

function create({ service, body }: HandlerCall): ResourceView {
  const { known, custom } = parseBody(AgreementBody, body);
  const { document_id = null, template_id = null } = known;
  const document = document_id === null ? null : findRecord(service.state.documents, document_id, 'document');
  const template = template_id === null ? null : findRecord(service.state.templates, template_id, 'template');
  const agreement: AgreementRecord = {
    ...createBaseRecord(service, 'agreement'),
    name: known.name ?? known.title ?? document?.name ?? template?.name ?? 'Agreement',
    message: known.message ?? null,
    document_id: document_id ?? template?.document_id ?? null,
    template_id,
    status: 'draft',
    recipients: parseRecipients(service, known),
    sent_at: null,
    signed_at: null,
    custom,
  };
  service.state.agreements.set(agreement.id, agreement);
  return toAgreementView(service, agreement);
}

function send({ service, id, body }: HandlerCall): ResourceView {
  const agreement = findRecord(service.state.agreements, id, 'agreement');
  const { known } = parseBody(AgreementSendBody, body);
  sendToRecipients(service, { kind: 'agreement', record: agreement, known });
  service.state.usage.agreements_sent += 1;
  service.emit('envelope.sent', { agreement_id: id, name: agreement.name, status: agreement.status });
  return toAgreementView(service, agreement);
}

function document({ service, id }: HandlerCall): Promise<FileView> {
  return getAgreementFile(service, findRecord(service.state.agreements, id, 'agreement'));
}

export const agreements = { list, create, send, document };
