import { z } from 'zod';
import type { ProposalRecord } from '../state/records.ts';
import { createBaseRecord, type Service } from '../state/service.ts';
import { findRecord } from '../state/state.ts';
import type { HandlerCall } from './handler.ts';
import { parseRecipients, RecipientFields, sendToRecipients } from './recipients.ts';
import { parseBody } from './request-body.ts';
import { createListResult, type ListResult, type ResourceView } from './view.ts';

export const ProposalBody = z.object({
  ...RecipientFields,
  name: z.string().min(1).optional(),
  title: z.string().min(1).optional(),
  items: z.array(z.looseObject({})).optional(),
  currency: z.string().length(3).optional(),
});
export const ProposalSendBody = z.object(RecipientFields);

export function toProposalView(service: Service, proposal: ProposalRecord): ResourceView {
  const { items, ...fields } = proposal;
  return {
    object: 'proposal',
    ...fields,
    url: `${service.origin}/p/${encodeURIComponent(proposal.id)}`,
    items: items.map((item) => ({ custom: item })),
    total_amount: calculateTotal(items),
  };
}

/** Returns the sum of all items that have a price. */
export function calculateTotal(items: ProposalRecord['items']): number {
  const number = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback);
  const cost = (item: Record<string, unknown>) =>
    number(item['quantity'], 1) * number(item['unit_price'] ?? item['price'] ?? item['amount'], 0);
  return Math.round(items.reduce((sum, item) => sum + cost(item), 0) * 100) / 100;
}

function list({ service }: HandlerCall): ListResult {
  return createListResult(service.state.proposals, (proposal) => toProposalView(service, proposal));
}

function create({ service, body }: HandlerCall): ResourceView {
  const { known, custom } = parseBody(ProposalBody, body);
  const proposal: ProposalRecord = {
    ...createBaseRecord(service, 'proposal'),
    name: known.name ?? known.title ?? 'Proposal',
    message: known.message ?? null,
    status: 'draft',
    recipients: parseRecipients(service, known),
    items: known.items ?? [],
    currency: known.currency ?? 'USD',
    sent_at: null,
    accepted_at: null,
    custom,
  };
  service.state.proposals.set(proposal.id, proposal);
  return toProposalView(service, proposal);
}

function send({ service, id, body }: HandlerCall): ResourceView {
  const proposal = findRecord(service.state.proposals, id, 'proposal');
  const { known } = parseBody(ProposalSendBody, body);
  sendToRecipients(service, { kind: 'proposal', record: proposal, known });
  return toProposalView(service, proposal);
}

export const proposals = { list, create, send };
