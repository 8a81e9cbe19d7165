import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { withProfileSample } from './record-kind.ts';

export const proposal = withProfileSample({
  resource: 'proposal',
  noun: 'Proposal',
  list: (client, query, options) => client.proposals.list(query, options),
  outputs: [
    { key: 'url', label: 'Proposal URL', from: RECORD_FIELDS.url },
    { key: 'status', label: 'Status', from: RECORD_FIELDS.status },
    { key: 'sent_at', label: 'Sent At', type: 'datetime', from: RECORD_FIELDS.sentAt },
  ],
  sample: {
    id: 'prp_5e7u0j3y',
    name: 'Website Relaunch for Northwind',
    url: 'https://share.example.com/p/5e7u0j3y',
    status: 'draft',
    sent_at: '2026-10-07T08:30:00.000Z',
    created_at: '2026-10-07T08:15:40.000Z',
    raw: { id: 'prp_5e7u0j3y', name: 'Website Relaunch for Northwind' },
  },
});
