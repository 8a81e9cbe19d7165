import { METRIC_FIELDS, PAGE_FIELDS, PAGE_LISTS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { recordField } from '../fields/form-fields.ts';
import type { JsonObject } from '../platform/client-core.ts';
import { link } from '../records/link.ts';
import { type OutputMapping, toOutputField } from '../records/record-kind.ts';
import { visitField } from '../records/visit-choices.ts';
import { defineReport, extractLineItems, extractMetrics, lineItemFields } from './define-report.ts';

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

export const getVisit = defineReport<{ visit: string }>({
  key: 'get_visit',
  noun: 'Visit',
  label: 'Get Visit',
  description: 'Finds one visit of a share link: who came, when, and how long for each page.',
  inputFields: [
    visitField,
    recordField(link, {
      required: false,
      altersDynamicFields: true,
      helpText: 'Shortens the list of visits to those of this link. Not needed where the visit is mapped.',
    }),
  ],
  perform: async (client, { input }) => {
    const response = await client.analytics.visit({ id: input.visit });
    return [{ id: input.visit, ...toOutput(response) }];
  },
  profileSample: { operation: 'analytics.visit', toOutput: toOutput },
  outputFields: [
    { key: 'id', label: 'Visit ID', type: 'string', primary: true },
    ...OUTPUTS.map(toOutputField),
    ...lineItemFields('pages', PAGES),
    { key: 'raw', label: 'Original Record' },
  ],
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

function toOutput(response: JsonObject): JsonObject {
  return {
    ...extractMetrics(OUTPUTS, response),
    pages: extractLineItems(response, PAGE_LISTS, PAGES),
    raw: response,
  };
}
