import { METRIC_FIELDS, PAGE_FIELDS, PAGE_LISTS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { createRecordField } from '../fields/form-fields.ts';
import { link } from '../records/kinds.ts';
import { defineNameOutputs, type OutputMapping } from '../records/record-kind.ts';
import { visitField } from '../records/visit-choices.ts';
import { defineMetricsReport } from './define-metrics-report.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'link_id', from: RECORD_FIELDS.linkId, sample: link.sample.id },
  { key: 'link_name', from: RECORD_FIELDS.linkName, sample: link.sample['name'] },
  { key: 'document_id', from: RECORD_FIELDS.documentId, sample: 'doc_7f3k2m9q' },
  { key: 'document_name', from: RECORD_FIELDS.documentName, sample: 'Series A Deck.pdf' },
  { key: 'visitor_email', from: RECORD_FIELDS.visitorEmail, sample: 'ann@northwind.example' },
  { key: 'visitor_name', from: [...RECORD_FIELDS.visitorName, 'name'], sample: 'Ann Northwind' },
  ...defineNameOutputs('visitor_', [...RECORD_FIELDS.visitorName, 'name']),
  { key: 'country', from: RECORD_FIELDS.country, sample: 'DE' },
  { key: 'viewed_at', type: 'datetime', from: RECORD_FIELDS.viewedAt, sample: '2026-10-08T12:04:19.000Z' },
  { key: 'ended_at', type: 'datetime', from: METRIC_FIELDS.endedAt, sample: '2026-10-08T12:07:53.000Z' },
  { key: 'duration_seconds', label: 'Seconds Spent', type: 'number', from: RECORD_FIELDS.durationSeconds, sample: 214 },
  { key: 'pages_viewed', type: 'integer', from: RECORD_FIELDS.pagesViewed, sample: 2 },
  { key: 'page_count', type: 'integer', from: RECORD_FIELDS.pageCount, sample: 14 },
];

const PAGES: readonly OutputMapping[] = [
  { key: 'page', label: 'Page Number', type: 'integer', from: PAGE_FIELDS.number },
  { key: 'seconds', label: 'Seconds on Page', type: 'number', from: PAGE_FIELDS.seconds },
];

export const getVisit = defineMetricsReport<{ visit: string }>({
  key: 'get_visit',
  noun: 'Visit',
  label: 'Find Visit',
  description: 'Finds one visit of a share link: the visitor, the time, and the seconds per page.',
  inputFields: [
    visitField,
    createRecordField(link, {
      required: false,
      altersDynamicFields: true,
      helpText: 'Limits the list of visits to this link. Leave empty if you map a Visit ID.',
    }),
  ],
  operation: 'analytics.visit',
  fetch: (client, input) => client.analytics.visit({ id: input.visit }),
  id: { label: 'Visit ID', getId: (input) => input.visit },
  outputs: OUTPUTS,
  lineItems: { key: 'pages', lists: PAGE_LISTS, outputs: PAGES },
  sample: {
    id: 'vis_3n9c5k1w',
    pages: [
      { page: 1, seconds: 32 },
      { page: 2, seconds: 182 },
    ],
    raw: { id: 'vis_3n9c5k1w', email: 'ann@northwind.example' },
  },
});
