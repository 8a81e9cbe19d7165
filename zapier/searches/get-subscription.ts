import { BILLING_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { idOf } from '../platform/client-core.ts';
import type { OutputMapping } from '../records/record-kind.ts';
import { defineMetricsReport } from './define-metrics-report.ts';
import { noInputNotice } from './define-report.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'plan', label: 'Plan', from: BILLING_FIELDS.plan },
  { key: 'status', label: 'Status', from: RECORD_FIELDS.status },
  { key: 'seats', label: 'Seats', type: 'integer', from: BILLING_FIELDS.seats },
  { key: 'seats_used', label: 'Seats Used', type: 'integer', from: BILLING_FIELDS.seatsUsed },
  { key: 'currency', label: 'Currency', from: BILLING_FIELDS.currency },
  { key: 'trial_ends_at', label: 'Trial Ends At', type: 'datetime', from: BILLING_FIELDS.trialEnds },
  { key: 'period_start_at', label: 'Period Starts At', type: 'datetime', from: BILLING_FIELDS.periodStart },
  { key: 'period_end_at', label: 'Period Ends At', type: 'datetime', from: BILLING_FIELDS.periodEnd },
];

export const getSubscription = defineMetricsReport({
  key: 'get_subscription',
  noun: 'Subscription',
  label: 'Get Subscription',
  description: 'Finds the plan, status and seats of your workspace.',
  inputFields: [noInputNotice('the plan of the connected workspace')],
  operation: 'billing.subscription',
  fetch: (client) => client.billing.subscription(),
  id: { label: 'Subscription ID', getId: (_, response) => idOf(response, 'subscription') ?? 'subscription' },
  outputs: OUTPUTS,
  sample: {
    id: 'subscription',
    plan: 'business',
    status: 'active',
    seats: 12,
    seats_used: 9,
    currency: 'USD',
    trial_ends_at: '2026-02-01T00:00:00.000Z',
    period_start_at: '2026-10-01T00:00:00.000Z',
    period_end_at: '2026-11-01T00:00:00.000Z',
    raw: { plan: 'business', status: 'active', seats: 12 },
  },
});
