import { createFormField, createRecordField } from '../fields/form-fields.ts';
import { parseEmail } from '../fields/parse-email.ts';
import { agreement, contact, document, link, proposal, room, template } from '../records/kinds.ts';
import { defineFindSearch } from './define-find-search.ts';

const findLink = defineFindSearch(link, {
  description: 'Finds a share link by its name or URL.',
  field: createFormField('query', 'Name or URL', {
    required: true,
    helpText: 'The name of the link, or its URL, for example https://share.example.com/l/4c8d1x7t.',
  }),
  onMultipleMatches: 'stop',
  searchTexts: (record, text) => [record.name, matchesUrl(record['url'], text) ? text : record['url']],
  filters: [
    {
      field: createRecordField(document, {
        required: false,
        helpText: 'Search only links to this document. Leave empty to search all links.',
      }),
      output: 'document_id',
    },
  ],
});

const findRoom = defineFindSearch(room, { onMultipleMatches: 'stop' });

const findContact = defineFindSearch(contact, {
  description: 'Finds a contact by email or name.',
  field: createFormField('query', 'Email or Name', {
    required: true,
    helpText: 'An email address, for example ann@example.com, or a full name.',
  }),
  onMultipleMatches: 'stop',
  readText: (text) => parseEmail(text)?.email ?? text,
  searchTexts: (record) => [record['email'], record.name],
});

/** True for the URL of a link, also with a slash, tracking parameters or a fragment at its end. */
function matchesUrl(url: unknown, text: string): boolean {
  const plain = String(url).replace(/\/$/, '').toLowerCase();
  if (!/^https?:/.test(plain) || !text.toLowerCase().startsWith(plain)) return false;
  return /^\/?(?:[?&#].*)?$/.test(text.slice(plain.length));
}

/** Searches for one record, in the order of the app's list. */
export const findSearches = [
  defineFindSearch(document),
  findLink,
  findRoom,
  defineFindSearch(agreement),
  defineFindSearch(proposal),
  defineFindSearch(template, { onMultipleMatches: 'stop' }),
  findContact,
];
