import { METRIC_FIELDS, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { idOf, type JsonObject } from '../platform/client-core.ts';
import { link } from './kinds.ts';
import { createOutputWithProfile } from './profile-samples.ts';
import {
  defineNameOutputs,
  extractOutputs,
  getSampleOutputs,
  type OutputMapping,
  type RecordWithId,
  toOutputField,
} from './record-kind.ts';
import { getVisitIds } from './visit-choices.ts';

const OUTPUTS: readonly OutputMapping[] = [
  { key: 'email', label: 'Visitor Email', from: RECORD_FIELDS.visitorEmail, sample: 'ann@northwind.example' },
  { key: 'name', label: 'Visitor Name', from: [...RECORD_FIELDS.visitorName, 'name'], sample: 'Ann Northwind' },
  ...defineNameOutputs('', [...RECORD_FIELDS.visitorName, 'name']),
  { key: 'country', from: RECORD_FIELDS.country, sample: 'DE' },
  { key: 'visit_count', label: 'Number of Visits', type: 'integer', from: METRIC_FIELDS.visitCount, sample: 3 },
  { key: 'total_seconds', type: 'number', from: METRIC_FIELDS.totalSeconds, sample: 611 },
  { key: 'first_seen_at', type: 'datetime', from: METRIC_FIELDS.firstViewedAt, sample: '2026-10-04T09:15:02.000Z' },
  {
    key: 'last_seen_at',
    type: 'datetime',
    from: [...METRIC_FIELDS.lastViewedAt, ...RECORD_FIELDS.viewedAt],
    sample: '2026-10-08T12:04:19.000Z',
  },
];

export const visitor = createOutputWithProfile('analytics.visitors', {
  outputFields: [
    { key: 'id', label: 'Visitor ID', type: 'string', primary: true },
    { key: 'link_id', label: 'Link ID', type: 'string' },
    ...OUTPUTS.map(toOutputField),
    { key: 'last_visit_id', label: 'Last Visit ID', type: 'string' },
  ],
  toOutput: (raw) => toVisitor(raw, link.sample.id),
  sample: {
    id: 'vtr_7c2m8x4k',
    link_id: link.sample.id,
    ...getSampleOutputs(OUTPUTS),
    last_visit_id: 'vis_3n9c5k1w',
    raw: { id: 'vtr_7c2m8x4k', email: 'ann@northwind.example', visit_count: 3 },
  },
});

export function toVisitor(item: JsonObject, link: string): RecordWithId {
  const outputs = extractOutputs(OUTPUTS, item);
  const visitIds = getVisitIds(item);
  return {
    id: String(idOf(item, 'visitor') ?? outputs['email'] ?? visitIds.at(-1) ?? `${link}-${outputs['last_seen_at']}`),
    link_id: link,
    ...outputs,
    last_visit_id: visitIds.at(-1) ?? null,
    raw: item,
  };
}
