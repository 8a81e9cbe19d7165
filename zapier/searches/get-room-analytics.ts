import {
  DOCUMENT_LISTS,
  ID_FIELDS,
  METRIC_FIELDS,
  NAME_FIELDS,
  RECORD_FIELDS,
} from '../../src/assumptions/index.ts';
import { recordField } from '../forms/form.ts';
import type { JsonObject } from '../platform/core.ts';
import { type Output, toOutputField } from '../records/record.ts';
import { room } from '../records/room.ts';
import { TOTALS } from './figures.ts';
import { lineFields, readFigures, readLines, report } from './report.ts';

const OUTPUTS: readonly Output[] = [
  ...TOTALS,
  { key: 'link_count', label: 'Number of Links', type: 'integer', from: METRIC_FIELDS.linkCount },
];

const DOCUMENTS: readonly Output[] = [
  { key: 'document_id', label: 'Document ID', from: [...RECORD_FIELDS.documentId, ...ID_FIELDS] },
  { key: 'name', label: 'Document Name', from: [...RECORD_FIELDS.documentName, ...NAME_FIELDS] },
  { key: 'views', label: 'Document Views', type: 'integer', from: METRIC_FIELDS.views },
];

export const getRoomAnalytics = report<{ room: string }>({
  key: 'get_room_analytics',
  noun: 'Room Report',
  label: 'Get Room Analytics',
  description: 'Finds how often a room was visited, by how many people and what they read.',
  inputFields: [recordField(room, { helpText: 'The room to report on.' })],
  run: async (client, { input }) => {
    const answer = await client.analytics.room({ id: input.room });
    return [{ id: input.room, ...shown(answer) }];
  },
  learned: { operation: 'analytics.room', read: shown },
  outputFields: [
    { key: 'id', label: 'Room ID', type: 'string', primary: true },
    ...OUTPUTS.map(toOutputField),
    ...lineFields('documents', DOCUMENTS),
    { key: 'raw', label: 'Original Record' },
  ],
  sample: {
    id: room.sample.id,
    views: 42,
    unique_visitors: 9,
    total_seconds: 6120,
    average_seconds: 145.7,
    completion_rate: 0.38,
    last_viewed_at: '2026-10-09T08:41:55.000Z',
    link_count: 2,
    documents: [{ document_id: 'doc_7f3k2m9q', name: 'Series A Deck.pdf', views: 31 }],
    raw: { room_id: room.sample.id, views: 42, unique_visitors: 9 },
  },
});

function shown(answer: JsonObject): JsonObject {
  return {
    ...readFigures(OUTPUTS, answer),
    documents: readLines(answer, DOCUMENT_LISTS, DOCUMENTS),
    raw: answer,
  };
}
