import { toAgreementView } from '../handlers/agreements.ts';
import { toVisitView } from '../handlers/analytics.ts';
import { toDocumentView } from '../handlers/documents.ts';
import { toLinkView } from '../handlers/links.ts';
import { toProposalView } from '../handlers/proposals.ts';
import type { ResourceView } from '../handlers/view.ts';
import type { Service } from '../state/service.ts';
import { listNewestFirst } from '../state/state.ts';

/** Returns everything stored, newest first, with the sandbox's own field names in every profile. */
export function getStoredRecords(service: Service): Record<string, readonly (ResourceView | object)[]> {
  const { state } = service;
  return {
    documents: listNewestFirst(state.documents).map(toDocumentView),
    links: listNewestFirst(state.links).map((link) => toLinkView(service, link)),
    visits: listNewestFirst(state.visits).map((visit) => toVisitView(visit, service.clock.now())),
    rooms: listNewestFirst(state.rooms),
    agreements: listNewestFirst(state.agreements).map((agreement) => toAgreementView(service, agreement)),
    proposals: listNewestFirst(state.proposals).map((proposal) => toProposalView(service, proposal)),
    templates: listNewestFirst(state.templates),
    contacts: listNewestFirst(state.contacts),
    webhooks: listNewestFirst(state.webhooks),
    deliveries: listNewestFirst(state.deliveries),
  };
}
