import { PROPOSAL_CHANGES } from '../../src/assumptions/index.ts';
import { proposal } from '../records/kinds.ts';
import { defineStatusTrigger } from './define-status-trigger.ts';
import { withStatus } from './sample-status.ts';

const { id, raw, ...sampleFields } = proposal.sample;

function createSample(status: string, change: string) {
  return {
    id: `${id}-${status}`,
    change,
    changed_at: '2026-10-07T11:02:18.000Z',
    proposal_id: id,
    ...sampleFields,
    status,
    raw: withStatus(raw, status),
  };
}

export const proposalStatusChanged = defineStatusTrigger({
  kind: proposal,
  key: 'proposal_status_changed',
  noun: 'Proposal Change',
  label: 'Proposal Status Changed',
  description: 'Triggers when a proposal is sent, viewed, accepted, declined or expired.',
  changes: PROPOSAL_CHANGES,
  sample: createSample('viewed', 'Viewed'),
});

export const proposalAccepted = defineStatusTrigger({
  kind: proposal,
  key: 'proposal_accepted',
  noun: 'Accepted Proposal',
  label: 'Proposal Accepted',
  description: 'Triggers when a proposal is accepted.',
  changes: ['accepted'],
  only: 'accepted',
  sample: createSample('accepted', 'Accepted'),
});
