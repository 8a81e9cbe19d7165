import {
  DOCUMENT_LISTS,
  ID_FIELDS,
  METRIC_FIELDS,
  NAME_FIELDS,
  PAGE_FIELDS,
  PAGE_LISTS,
  RECORD_FIELDS,
} from '../../src/assumptions/index.ts';
import { createRecordField } from '../fields/form-fields.ts';
import { link, room } from '../records/kinds.ts';
import type { OutputMapping } from '../records/record-kind.ts';
import { defineMetricsReport } from './define-metrics-report.ts';

const TOTAL_METRICS: readonly OutputMapping[] = [
  { key: 'views', type: 'integer', from: METRIC_FIELDS.views },
  { key: 'unique_visitors', type: 'integer', from: METRIC_FIELDS.uniqueVisitors },
  { key: 'total_seconds', type: 'number', from: METRIC_FIELDS.totalSeconds },
  { key: 'average_seconds', type: 'number', from: METRIC_FIELDS.averageSeconds },
  { key: 'completion_rate', label: 'Read (percent)', type: 'percent', from: METRIC_FIELDS.completionRate },
  { key: 'last_viewed_at', type: 'datetime', from: METRIC_FIELDS.lastViewedAt },
];

const PAGE_METRICS: readonly OutputMapping[] = [
  { key: 'page', label: 'Page Number', type: 'integer', from: PAGE_FIELDS.number },
  { key: 'views', label: 'Page Views', type: 'integer', from: METRIC_FIELDS.views },
  { key: 'average_seconds', label: 'Average Seconds on Page', type: 'number', from: METRIC_FIELDS.averageSeconds },
];

const LINK_METRICS: readonly OutputMapping[] = [
  { key: 'link_name', from: RECORD_FIELDS.linkName, sample: link.sample['name'] },
  { key: 'document_id', from: RECORD_FIELDS.documentId },
  { key: 'document_name', from: RECORD_FIELDS.documentName, sample: 'Series A Deck.pdf' },
  ...TOTAL_METRICS,
];

export const getLinkAnalytics = defineMetricsReport<{ link: string }>({
  key: 'get_link_analytics',
  noun: 'Link Report',
  label: 'Find Link Analytics',
  description: 'Finds the views, visitors and reading time of a share link.',
  inputFields: [createRecordField(link, { helpText: 'The link to report on.' })],
  operation: 'analytics.link',
  fetch: (client, input) => client.analytics.link({ id: input.link }),
  id: { label: 'Link ID', getId: (input) => input.link },
  outputs: LINK_METRICS,
  lineItems: { key: 'pages', lists: PAGE_LISTS, outputs: PAGE_METRICS },
  sample: {
    id: link.sample.id,
    document_id: 'doc_7f3k2m9q',
    views: 18,
    unique_visitors: 7,
    total_seconds: 2214.5,
    average_seconds: 123,
    completion_rate: 61,
    last_viewed_at: '2026-10-08T12:04:19.000Z',
    pages: [
      { page: 1, views: 18, average_seconds: 21.5 },
      { page: 2, views: 16, average_seconds: 44 },
    ],
    raw: { link_id: link.sample.id, views: 18, unique_visitors: 7 },
  },
});

const ROOM_METRICS: readonly OutputMapping[] = [
  { key: 'room_name', from: RECORD_FIELDS.roomName, sample: room.sample['name'] },
  ...TOTAL_METRICS,
  { key: 'link_count', label: 'Number of Links', type: 'integer', from: METRIC_FIELDS.linkCount },
];

const DOCUMENTS: readonly OutputMapping[] = [
  { key: 'document_id', from: [...RECORD_FIELDS.documentId, ...ID_FIELDS] },
  { key: 'name', label: 'Document Name', from: [...RECORD_FIELDS.documentName, ...NAME_FIELDS] },
  { key: 'views', label: 'Document Views', type: 'integer', from: METRIC_FIELDS.views },
];

export const getRoomAnalytics = defineMetricsReport<{ room: string }>({
  key: 'get_room_analytics',
  noun: 'Room Report',
  label: 'Find Room Analytics',
  description: 'Finds the views, visitors and document views of a room.',
  inputFields: [createRecordField(room, { helpText: 'The room to report on.' })],
  operation: 'analytics.room',
  fetch: (client, input) => client.analytics.room({ id: input.room }),
  id: { label: 'Room ID', getId: (input) => input.room },
  outputs: ROOM_METRICS,
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
