import { viewAgreement } from '../handlers/agreements.ts';
import { viewVisit } from '../handlers/analytics.ts';
import { viewDocument } from '../handlers/documents.ts';
import { viewLink } from '../handlers/links.ts';
import { viewProposal } from '../handlers/proposals.ts';
import type { ResourceView } from '../handlers/view.ts';
import type { Service } from '../state/service.ts';
import { listNewestFirst } from '../state/state.ts';

/** Returns everything stored, newest first, with the sandbox's own field names in every profile. */
export function getStoredRecords(service: Service): Record<string, readonly (ResourceView | object)[]> {
  const { state } = service;
  return {
    documents: listNewestFirst(state.documents).map(viewDocument),
    links: listNewestFirst(state.links).map((link) => viewLink(service, link)),
    visits: listNewestFirst(state.visits).map((visit) => viewVisit(visit, service.clock.now())),
    rooms: listNewestFirst(state.rooms),
    agreements: listNewestFirst(state.agreements).map((agreement) => viewAgreement(service, agreement)),
    proposals: listNewestFirst(state.proposals).map((proposal) => viewProposal(service, proposal)),
    templates: listNewestFirst(state.templates),
    contacts: listNewestFirst(state.contacts),
    webhooks: listNewestFirst(state.webhooks),
    deliveries: listNewestFirst(state.deliveries),
  };
}
