import { BILLING_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { idOf } from '../platform/client-core.ts';
import type { OutputMapping } from '../records/record-kind.ts';
import { defineMetricsReport } from './define-metrics-report.ts';
import { noInputNotice } from './define-report.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'plan', from: BILLING_FIELDS.plan, sample: 'business' },
  { key: 'status', from: RECORD_FIELDS.status, sample: 'active' },
  { key: 'seats', type: 'integer', from: BILLING_FIELDS.seats, sample: 12 },
  { key: 'seats_used', type: 'integer', from: BILLING_FIELDS.seatsUsed, sample: 9 },
  { key: 'currency', from: BILLING_FIELDS.currency, sample: 'USD' },
  { key: 'trial_ends_at', type: 'datetime', from: BILLING_FIELDS.trialEnds, sample: '2026-02-01T00:00:00.000Z' },
  { key: 'period_start_at', label: 'Period Starts At', type: 'datetime', from: BILLING_FIELDS.periodStart },
  { key: 'period_end_at', label: 'Period Ends At', type: 'datetime', from: BILLING_FIELDS.periodEnd },
];

export const getSubscription = defineMetricsReport({
  key: 'get_subscription',
  noun: 'Subscription',
  label: 'Get Subscription',
  description: 'Finds the plan, status and seats of your workspace.',
  hidden: true,
  inputFields: [noInputNotice('the plan of the connected workspace')],
  operation: 'billing.subscription',
  fetch: (client) => client.billing.subscription(),
  id: { label: 'Subscription ID', getId: (_, response) => idOf(response, 'subscription') ?? 'subscription' },
  outputs: OUTPUTS,
  sample: {
    id: 'subscription',
    period_start_at: '2026-10-01T00:00:00.000Z',
    period_end_at: '2026-11-01T00:00:00.000Z',
    raw: { plan: 'business', status: 'active', seats: 12 },
  },
});
