import { DOCUMENT_LISTS, ID_FIELDS, METRIC_FIELDS, NAME_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { recordField } from '../fields/form-fields.ts';
import { room } from '../records/kinds.ts';
import type { OutputMapping } from '../records/record-kind.ts';
import { TOTAL_METRICS } from './analytics-outputs.ts';
import { defineMetricsReport } from './define-metrics-report.ts';

const OUTPUTS: readonly OutputMapping[] = [
  ...TOTAL_METRICS,
  { key: 'link_count', label: 'Number of Links', type: 'integer', from: METRIC_FIELDS.linkCount },
];

const DOCUMENTS: readonly OutputMapping[] = [
  { key: 'document_id', label: 'Document ID', from: [...RECORD_FIELDS.documentId, ...ID_FIELDS] },
  { key: 'name', label: 'Document Name', from: [...RECORD_FIELDS.documentName, ...NAME_FIELDS] },
  { key: 'views', label: 'Document Views', type: 'integer', from: METRIC_FIELDS.views },
];

export const getRoomAnalytics = defineMetricsReport<{ room: string }>({
  key: 'get_room_analytics',
  noun: 'Room Report',
  label: 'Get Room Analytics',
  description: 'Finds the views, visitors and document views of a room.',
  inputFields: [recordField(room, { helpText: 'The room to report on.' })],
  operation: 'analytics.room',
  fetch: (client, input) => client.analytics.room({ id: input.room }),
  id: { label: 'Room ID', getId: (input) => input.room },
  outputs: OUTPUTS,
  lineItems: { key: 'documents', lists: DOCUMENT_LISTS, outputs: DOCUMENTS },
  sample: {
    id: room.sample.id,
    views: 42,
    unique_visitors: 9,
    total_seconds: 6120,
    average_seconds: 145.7,
    completion_rate: 38,
    last_viewed_at: '2026-10-09T08:41:55.000Z',
    link_count: 2,
    documents: [{ document_id: 'doc_7f3k2m9q', name: 'Series A Deck.pdf', views: 31 }],
    raw: { room_id: room.sample.id, views: 42, unique_visitors: 9 },
  },
});
