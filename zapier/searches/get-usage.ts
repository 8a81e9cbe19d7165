import { BILLING_FIELDS } from '../../src/assumptions/index.ts';
import type { OutputMapping } from '../records/record-kind.ts';
import { defineMetricsReport } from './define-metrics-report.ts';
import { noInputNotice } from './define-report.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'documents', label: 'Documents', type: 'integer', from: BILLING_FIELDS.documents },
  { key: 'links', label: 'Links', type: 'integer', from: BILLING_FIELDS.links },
  { key: 'rooms', label: 'Rooms', type: 'integer', from: BILLING_FIELDS.rooms },
  { key: 'contacts', label: 'Contacts', type: 'integer', from: BILLING_FIELDS.contacts },
  { key: 'visits', label: 'Visits', type: 'integer', from: BILLING_FIELDS.visits },
  { key: 'agreements', label: 'Agreements', type: 'integer', from: BILLING_FIELDS.agreements },
  { key: 'seats', label: 'Seats', type: 'integer', from: BILLING_FIELDS.seats },
  { key: 'storage_bytes', label: 'Storage in Bytes', type: 'integer', from: BILLING_FIELDS.storageBytes },
  { key: 'period_start_at', label: 'Period Starts At', type: 'datetime', from: BILLING_FIELDS.periodStart },
  { key: 'period_end_at', label: 'Period Ends At', type: 'datetime', from: BILLING_FIELDS.periodEnd },
];

export const getUsage = defineMetricsReport({
  key: 'get_usage',
  noun: 'Usage Report',
  label: 'Get Usage',
  description: 'Finds how much of its plan your workspace currently uses.',
  inputFields: [noInputNotice('the current usage of the connected workspace')],
  operation: 'billing.usage',
  fetch: (client) => client.billing.usage(),
  id: { label: 'Report ID', getId: () => 'usage' },
  outputs: OUTPUTS,
  sample: {
    id: 'usage',
    documents: 128,
    links: 342,
    rooms: 7,
    contacts: 615,
    visits: 4180,
    agreements: 36,
    seats: 12,
    storage_bytes: 5_368_709_120,
    period_start_at: '2026-10-01T00:00:00.000Z',
    period_end_at: '2026-11-01T00:00:00.000Z',
    raw: { documents: 128, links: 342, rooms: 7 },
  },
});
