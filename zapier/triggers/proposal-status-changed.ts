import { PROPOSAL_CHANGES } from '../../src/assumptions/index.ts';
import { proposal } from '../records/kinds.ts';
import { defineStatusTrigger } from './define-status-trigger.ts';

const PROPOSAL_CHANGED_AT = '2026-10-07T11:02:18.000Z';

export const proposalStatusChanged = defineStatusTrigger({
  kind: proposal,
  key: 'proposal_status_changed',
  noun: 'Proposal Change',
  label: 'Proposal Status Changed',
  description: 'Triggers when a proposal is sent, viewed, accepted, declined or expired.',
  changes: PROPOSAL_CHANGES,
  sample: { status: 'viewed', changed_at: PROPOSAL_CHANGED_AT },
});

export const proposalAccepted = defineStatusTrigger({
  kind: proposal,
  key: 'proposal_accepted',
  noun: 'Accepted Proposal',
  label: 'Proposal Accepted',
  description: 'Triggers when a proposal is accepted.',
  changes: ['accepted'],
  sample: { status: 'accepted', changed_at: PROPOSAL_CHANGED_AT },
});
