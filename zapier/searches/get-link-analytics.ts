import { PAGE_LISTS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { recordField } from '../fields/form-fields.ts';
import { link } from '../records/kinds.ts';
import type { OutputMapping } from '../records/record-kind.ts';
import { PAGE_METRICS, TOTAL_METRICS } from './analytics-outputs.ts';
import { defineMetricsReport } from './define-metrics-report.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'document_id', label: 'Document ID', from: RECORD_FIELDS.documentId },
  ...TOTAL_METRICS,
];

export const getLinkAnalytics = defineMetricsReport<{ link: string }>({
  key: 'get_link_analytics',
  noun: 'Link Report',
  label: 'Get Link Analytics',
  description: 'Finds the views, visitors and reading time of a share link.',
  inputFields: [recordField(link, { helpText: 'The link to report on.' })],
  operation: 'analytics.link',
  fetch: (client, input) => client.analytics.link({ id: input.link }),
  id: { label: 'Link ID', getId: (input) => input.link },
  outputs: OUTPUTS,
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
