import { PAGE_LISTS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { recordField } from '../forms/form.ts';
import type { JsonObject } from '../platform/core.ts';
import { link } from '../records/link.ts';
import { type Output, toOutputField } from '../records/record.ts';
import { PAGE_FIGURES, TOTALS } from './figures.ts';
import { lineFields, readFigures, readLines, report } from './report.ts';

const OUTPUTS: readonly Output[] = [
  { key: 'document_id', label: 'Document ID', from: RECORD_FIELDS.documentId },
  ...TOTALS,
];

export const getLinkAnalytics = report<{ link: string }>({
  key: 'get_link_analytics',
  noun: 'Link Report',
  label: 'Get Link Analytics',
  description: 'Finds how often a share link was opened, by how many people and for how long.',
  inputFields: [recordField(link, { helpText: 'The link to report on.' })],
  run: async (client, { input }) => {
    const answer = await client.analytics.link({ id: input.link });
    return [{ id: input.link, ...shown(answer) }];
  },
  learned: { operation: 'analytics.link', read: shown },
  outputFields: [
    { key: 'id', label: 'Link ID', type: 'string', primary: true },
    ...OUTPUTS.map(toOutputField),
    ...lineFields('pages', PAGE_FIGURES),
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

function shown(answer: JsonObject): JsonObject {
  return {
    ...readFigures(OUTPUTS, answer),
    pages: readLines(answer, PAGE_LISTS, PAGE_FIGURES),
    raw: answer,
  };
}
