import { PAGE_LISTS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { recordField } from '../fields/form-fields.ts';
import type { JsonObject } from '../platform/client-core.ts';
import { link } from '../records/link.ts';
import { type OutputMapping, toOutputField } from '../records/record-kind.ts';
import { PAGE_METRICS, TOTAL_METRICS } from './analytics-outputs.ts';
import { defineReport, extractLineItems, extractMetrics, lineItemFields } from './define-report.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'document_id', label: 'Document ID', from: RECORD_FIELDS.documentId },
  ...TOTAL_METRICS,
];

export const getLinkAnalytics = defineReport<{ link: string }>({
  key: 'get_link_analytics',
  noun: 'Link Report',
  label: 'Get Link Analytics',
  description: 'Finds how often a share link was opened, by how many people and for how long.',
  inputFields: [recordField(link, { helpText: 'The link to report on.' })],
  perform: async (client, { input }) => {
    const response = await client.analytics.link({ id: input.link });
    return [{ id: input.link, ...toOutput(response) }];
  },
  profileSample: { operation: 'analytics.link', toOutput: toOutput },
  outputFields: [
    { key: 'id', label: 'Link ID', type: 'string', primary: true },
    ...OUTPUTS.map(toOutputField),
    ...lineItemFields('pages', PAGE_METRICS),
    { key: 'raw', label: 'Original Record' },
  ],
  sample: {
    id: link.sample.id,
    document_id: 'doc_7f3k2m9q',
    views: 18,
    unique_visitors: 7,
    total_seconds: 2214.5,
    average_seconds: 123,
    completion_rate: 0.61,
    last_viewed_at: '2026-10-08T12:04:19.000Z',
    pages: [
      { page: 1, views: 18, average_seconds: 21.5 },
      { page: 2, views: 16, average_seconds: 44 },
    ],
    raw: { link_id: link.sample.id, views: 18, unique_visitors: 7 },
  },
});

function toOutput(response: JsonObject): JsonObject {
  return {
    ...extractMetrics(OUTPUTS, response),
    pages: extractLineItems(response, PAGE_LISTS, PAGE_METRICS),
    raw: response,
  };
}
