import { METRIC_FIELDS, PAGE_FIELDS, PAGE_LISTS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { recordField } from '../fields/form-fields.ts';
import { link } from '../records/kinds.ts';
import type { OutputMapping } from '../records/record-kind.ts';
import { visitField } from '../records/visit-choices.ts';
import { defineMetricsReport } from './define-metrics-report.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'link_id', label: 'Link ID', from: RECORD_FIELDS.linkId },
  { key: 'document_id', label: 'Document ID', from: RECORD_FIELDS.documentId },
  { key: 'visitor_email', label: 'Visitor Email', from: RECORD_FIELDS.visitorEmail },
  { key: 'visitor_name', label: 'Visitor Name', from: [...RECORD_FIELDS.visitorName, 'name'] },
  { key: 'country', label: 'Country', from: RECORD_FIELDS.country },
  { key: 'viewed_at', label: 'Viewed At', type: 'datetime', from: RECORD_FIELDS.viewedAt },
  { key: 'ended_at', label: 'Ended At', type: 'datetime', from: METRIC_FIELDS.endedAt },
  { key: 'duration_seconds', label: 'Seconds Spent', type: 'number', from: RECORD_FIELDS.durationSeconds },
  { key: 'pages_viewed', label: 'Pages Viewed', type: 'integer', from: RECORD_FIELDS.pagesViewed },
  { key: 'page_count', label: 'Page Count', type: 'integer', from: RECORD_FIELDS.pageCount },
];

const PAGES: readonly OutputMapping[] = [
  { key: 'page', label: 'Page Number', type: 'integer', from: PAGE_FIELDS.number },
  { key: 'seconds', label: 'Seconds on Page', type: 'number', from: PAGE_FIELDS.seconds },
];

export const getVisit = defineMetricsReport<{ visit: string }>({
  key: 'get_visit',
  noun: 'Visit',
  label: 'Get Visit',
  description: 'Finds one visit of a share link: the visitor, the time, and the seconds per page.',
  inputFields: [
    visitField,
    recordField(link, {
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
    link_id: link.sample.id,
    document_id: 'doc_7f3k2m9q',
    visitor_email: 'ann@northwind.example',
    visitor_name: 'Ann Northwind',
    country: 'DE',
    viewed_at: '2026-10-08T12:04:19.000Z',
    ended_at: '2026-10-08T12:07:53.000Z',
    duration_seconds: 214,
    pages_viewed: 2,
    page_count: 14,
    pages: [
      { page: 1, seconds: 32 },
      { page: 2, seconds: 182 },
    ],
    raw: { id: 'vis_3n9c5k1w', email: 'ann@northwind.example' },
  },
});
