import { viewAgreement } from '../handlers/agreements.ts';
import { viewVisit } from '../handlers/analytics.ts';
import { viewDocument } from '../handlers/documents.ts';
import { viewLink } from '../handlers/links.ts';
import { viewProposal } from '../handlers/proposals.ts';
import type { View } from '../handlers/view.ts';
import type { Service } from '../service.ts';
import { newestFirst } from '../state/state.ts';

/** What is stored, newest first, in the sandbox's own words whatever the profile. */
export function viewStore(service: Service): Record<string, readonly (View | object)[]> {
  const { state } = service;
  return {
    documents: newestFirst(state.documents).map(viewDocument),
    links: newestFirst(state.links).map((link) => viewLink(service, link)),
    visits: newestFirst(state.visits).map((visit) => viewVisit(visit, service.clock.now())),
    rooms: newestFirst(state.rooms),
    agreements: newestFirst(state.agreements).map((agreement) => viewAgreement(service, agreement)),
    proposals: newestFirst(state.proposals).map((proposal) => viewProposal(service, proposal)),
    templates: newestFirst(state.templates),
    contacts: newestFirst(state.contacts),
    webhooks: newestFirst(state.webhooks),
    deliveries: newestFirst(state.deliveries),
  };
}
