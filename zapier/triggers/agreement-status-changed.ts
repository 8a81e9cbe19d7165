import { AGREEMENT_CHANGES } from '../../src/assumptions/index.ts';
import { agreement } from '../records/kinds.ts';
import { defineStatusTrigger } from './define-status-trigger.ts';
import { withStatus } from './sample-status.ts';

const { id, raw, signed_at: _, ...sampleFields } = agreement.sample;

export const agreementStatusChanged = defineStatusTrigger({
  kind: agreement,
  key: 'agreement_status_changed',
  noun: 'Agreement Change',
  label: 'Agreement Status Changed',
  description: 'Triggers when an agreement is sent, viewed, completed, declined, voided or expired.',
  changes: AGREEMENT_CHANGES,
  sample: {
    id: `${id}-declined`,
    change: 'Declined',
    changed_at: '2026-10-06T15:31:27.000Z',
    agreement_id: id,
    ...sampleFields,
    status: 'declined',
    raw: withStatus(raw, 'declined'),
  },
});
