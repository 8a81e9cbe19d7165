import { FIGURE_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { recordField, textInput } from '../forms/form.ts';
import type { JsonObject } from '../platform/core.ts';
import { idOf } from '../platform/core.ts';
import { link } from '../records/link.ts';
import { collect } from '../records/pages.ts';
import { type Output, readOutputs, toOutputField } from '../records/record.ts';
import { visitIdsOf } from '../records/visits.ts';
import { report, SHOWN_RESULTS } from './report.ts';

const OUTPUTS: readonly Output[] = [
  { key: 'email', label: 'Visitor Email', from: RECORD_FIELDS.visitorEmail },
  { key: 'name', label: 'Visitor Name', from: [...RECORD_FIELDS.visitorName, 'name'] },
  { key: 'country', label: 'Country', from: RECORD_FIELDS.country },
  { key: 'visit_count', label: 'Number of Visits', type: 'integer', from: FIGURE_FIELDS.visitCount },
  { key: 'total_seconds', label: 'Total Seconds', type: 'number', from: FIGURE_FIELDS.totalSeconds },
  { key: 'first_seen_at', label: 'First Seen At', type: 'datetime', from: FIGURE_FIELDS.firstViewedAt },
  {
    key: 'last_seen_at',
    label: 'Last Seen At',
    type: 'datetime',
    from: [...FIGURE_FIELDS.lastViewedAt, ...RECORD_FIELDS.viewedAt],
  },
];

interface Input extends Record<string, unknown> {
  link: string;
  email?: string;
}

export const listLinkVisitors = report<Input>({
  key: 'list_link_visitors',
  noun: 'Visitor',
  label: 'List Link Visitors',
  description: 'Finds the people who opened a share link, those who came last first.',
  inputFields: [
    recordField(link, { helpText: 'The link whose visitors you want.' }),
    textInput('email', 'Visitor Email', {
      helpText: 'Only the visitor with this address. Leave empty for everybody who came.',
    }),
  ],
  run: async (client, { input }) => {
    const wanted = input.email?.trim().toLowerCase();
    const visitors: JsonObject[] = [];
    const { items } = await collect((query) => client.analytics.visitors({ ...query, id: input.link }));
    for (const item of items) {
      const visitor = readVisitor(item, input.link);
      if (!wanted || String(visitor['email'] ?? '').toLowerCase() === wanted) visitors.push(visitor);
    }
    return visitors
      .toSorted((a, b) => String(b['last_seen_at'] ?? '').localeCompare(String(a['last_seen_at'] ?? '')))
      .slice(0, SHOWN_RESULTS);
  },
  outputFields: [
    { key: 'id', label: 'Visitor ID', type: 'string', primary: true },
    { key: 'link_id', label: 'Link ID', type: 'string' },
    ...OUTPUTS.map(toOutputField),
    { key: 'last_visit_id', label: 'Last Visit ID', type: 'string' },
    { key: 'raw', label: 'Original Record' },
  ],
  sample: {
    id: 'vtr_7c2m8x4k',
    link_id: link.sample.id,
    email: 'ann@northwind.example',
    name: 'Ann Northwind',
    country: 'DE',
    visit_count: 3,
    total_seconds: 611,
    first_seen_at: '2026-10-04T09:15:02.000Z',
    last_seen_at: '2026-10-08T12:04:19.000Z',
    last_visit_id: 'vis_3n9c5k1w',
    raw: { id: 'vtr_7c2m8x4k', email: 'ann@northwind.example', visit_count: 3 },
  },
});

function readVisitor(item: JsonObject, link: string): JsonObject {
  const outputs = readOutputs(OUTPUTS, item);
  const visits = visitIdsOf(item);
  return {
    id: idOf(item, 'visitor') ?? outputs['email'] ?? visits.at(-1) ?? `${link}-${outputs['last_seen_at']}`,
    link_id: link,
    ...outputs,
    last_visit_id: visits.at(-1) ?? null,
    raw: item,
  };
}
