import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { withProfileSample } from './record-kind.ts';

export const room = withProfileSample({
  resource: 'room',
  noun: 'Room',
  list: (client, query, options) => client.rooms.list(query, options),
  outputs: [
    { key: 'url', label: 'Room URL', from: RECORD_FIELDS.url },
    { key: 'status', label: 'Status', from: RECORD_FIELDS.status },
    { key: 'updated_at', label: 'Updated At', type: 'datetime', from: RECORD_FIELDS.updatedAt },
  ],
  sample: {
    id: 'room_2b6v9z1n',
    name: 'Northwind Due Diligence',
    url: 'https://share.example.com/r/2b6v9z1n',
    status: 'active',
    updated_at: '2026-10-05T14:02:10.000Z',
    created_at: '2026-10-03T08:00:00.000Z',
    raw: { id: 'room_2b6v9z1n', name: 'Northwind Due Diligence' },
  },
});
