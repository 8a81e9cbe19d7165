import { AGREEMENT_CHANGES } from '../../src/assumptions/index.ts';
import { agreement } from '../records/kinds.ts';
import { defineStatusTrigger } from './define-status-trigger.ts';

export const agreementStatusChanged = defineStatusTrigger({
  kind: agreement,
  key: 'agreement_status_changed',
  noun: 'Agreement Change',
  label: 'Agreement Status Changed',
  description: 'Triggers when an agreement is sent, viewed, completed, declined, voided or expired.',
  changes: AGREEMENT_CHANGES,
  sample: { status: 'declined', changed_at: '2026-10-06T15:31:27.000Z' },
});
