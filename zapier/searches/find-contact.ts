import { textInput } from '../fields/form-fields.ts';
import { contact } from '../records/kinds.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findContact = defineFindSearch(contact, {
  description: 'Finds a contact by email or name.',
  field: textInput('query', 'Email or Name', {
    required: true,
    helpText: 'An email address, for example ann@example.com, or a full name.',
  }),
  onMultipleMatches: 'stop',
  searchTexts: (record) => [record['email'], record.name],
});
