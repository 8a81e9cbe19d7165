import { BILLING_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { idOf } from '../platform/client-core.ts';
import type { OutputMapping } from '../records/record-kind.ts';
import { defineMetricsReport } from './define-metrics-report.ts';
import { createNoInputNotice } from './define-report.ts';

const PERIOD: readonly OutputMapping[] = [
  { key: 'period_start_at', label: 'Period Starts At', type: 'datetime', from: BILLING_FIELDS.periodStart },
  { key: 'period_end_at', label: 'Period Ends At', type: 'datetime', from: BILLING_FIELDS.periodEnd },
];
const PERIOD_SAMPLE = { period_start_at: '2026-10-01T00:00:00.000Z', period_end_at: '2026-11-01T00:00:00.000Z' };

const SUBSCRIPTION: readonly OutputMapping[] = [
  { key: 'plan', from: BILLING_FIELDS.plan, sample: 'business' },
  { key: 'status', from: RECORD_FIELDS.status, sample: 'active' },
  { key: 'seats', type: 'integer', from: BILLING_FIELDS.seats, sample: 12 },
  { key: 'seats_used', type: 'integer', from: BILLING_FIELDS.seatsUsed, sample: 9 },
  { key: 'currency', from: BILLING_FIELDS.currency, sample: 'USD' },
  { key: 'trial_ends_at', type: 'datetime', from: BILLING_FIELDS.trialEnds, sample: '2026-02-01T00:00:00.000Z' },
  ...PERIOD,
];

export const getSubscription = defineMetricsReport({
  key: 'get_subscription',
  noun: 'Subscription',
  label: 'Find Subscription',
  description: 'Finds the plan, status and seats of your workspace.',
  hidden: true,
  inputFields: [createNoInputNotice('the plan of the connected workspace')],
  operation: 'billing.subscription',
  fetch: (client) => client.billing.subscription(),
  id: { label: 'Subscription ID', getId: (_, response) => idOf(response, 'subscription') ?? 'subscription' },
  outputs: SUBSCRIPTION,
  sample: { id: 'subscription', ...PERIOD_SAMPLE, raw: { plan: 'business', status: 'active', seats: 12 } },
});

const USAGE: readonly OutputMapping[] = [
  { key: 'documents', type: 'integer', from: BILLING_FIELDS.documents, sample: 128 },
  { key: 'links', type: 'integer', from: BILLING_FIELDS.links, sample: 342 },
  { key: 'rooms', type: 'integer', from: BILLING_FIELDS.rooms, sample: 7 },
  { key: 'contacts', type: 'integer', from: BILLING_FIELDS.contacts, sample: 615 },
  { key: 'visits', type: 'integer', from: BILLING_FIELDS.visits, sample: 4180 },
  { key: 'agreements', type: 'integer', from: BILLING_FIELDS.agreements, sample: 36 },
  { key: 'seats', type: 'integer', from: BILLING_FIELDS.seats, sample: 12 },
  { key: 'storage_bytes', label: 'Storage in Bytes', type: 'integer', from: BILLING_FIELDS.storageBytes },
  ...PERIOD,
];

export const getUsage = defineMetricsReport({
  key: 'get_usage',
  noun: 'Usage Report',
  label: 'Find Usage',
  description: 'Finds how much of its plan your workspace currently uses.',
  hidden: true,
  inputFields: [createNoInputNotice('the current usage of the connected workspace')],
  operation: 'billing.usage',
  fetch: (client) => client.billing.usage(),
  id: { label: 'Report ID', getId: () => 'usage' },
  outputs: USAGE,
  sample: {
    id: 'usage',
    storage_bytes: 5_368_709_120,
    ...PERIOD_SAMPLE,
    raw: { documents: 128, links: 342, rooms: 7 },
  },
});
