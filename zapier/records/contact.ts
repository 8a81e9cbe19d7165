import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { getTextField, getTitle } from '../platform/client-core.ts';
import { withProfileSample } from './record-kind.ts';

export const contact = withProfileSample({
  resource: 'contact',
  noun: 'Contact',
  list: (client, query, options) => client.contacts.list(query, options),
  outputs: [
    { key: 'email', label: 'Email', from: RECORD_FIELDS.email },
    { key: 'company', label: 'Company', from: RECORD_FIELDS.company },
    { key: 'updated_at', label: 'Updated At', type: 'datetime', from: RECORD_FIELDS.updatedAt },
  ],
  label: (item) => {
    const name = getTitle(item);
    const email = getTextField(item, RECORD_FIELDS.email);
    return email === undefined || email === name ? name : `${name} (${email})`;
  },
  sample: {
    id: 'con_8y2q6l4d',
    name: 'Ann Northwind',
    email: 'ann@northwind.example',
    company: 'Northwind Ltd',
    updated_at: '2026-10-01T07:20:00.000Z',
    created_at: '2026-09-28T13:37:05.000Z',
    raw: { id: 'con_8y2q6l4d', email: 'ann@northwind.example' },
  },
});
