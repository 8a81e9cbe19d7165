import { BILLING_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { idOf, type JsonObject } from '../platform/client-core.ts';
import { type OutputMapping, toOutputField } from '../records/record-kind.ts';
import { defineReport, extractMetrics, noInputNotice } from './define-report.ts';

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

export const getSubscription = defineReport({
  key: 'get_subscription',
  noun: 'Subscription',
  label: 'Get Subscription',
  description: 'Finds the plan of your workspace, its state and its number of seats.',
  inputFields: [noInputNotice('the plan of the connected workspace')],
  perform: async (client) => {
    const response = await client.billing.subscription();
    const id = idOf(response, 'subscription') ?? 'subscription';
    return [{ id, ...toOutput(response) }];
  },
  profileSample: { operation: 'billing.subscription', toOutput: toOutput },
  outputFields: [
    { key: 'id', label: 'Subscription ID', type: 'string', primary: true },
    ...OUTPUTS.map(toOutputField),
    { key: 'raw', label: 'Original Record' },
  ],
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

function toOutput(response: JsonObject): JsonObject {
  return { ...extractMetrics(OUTPUTS, response), raw: response };
}
