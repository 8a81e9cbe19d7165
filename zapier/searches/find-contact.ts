import { textInput } from '../fields/form-fields.ts';
import { contact } from '../records/contact.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findContact = defineFindSearch(contact, {
  description: 'Finds a contact by e-mail address or name.',
  field: textInput('query', 'Email or Name', {
    required: true,
    helpText:
      'An e-mail address such as ann@example.com, or a name. The contact with this address comes before one who is called so.',
  }),
  onMultipleMatches: 'stop',
  searchTexts: (record) => [record['email'], record.name],
});
