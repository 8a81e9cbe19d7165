import { recordField, textInput } from '../fields/form-fields.ts';
import { document, link } from '../records/kinds.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findLink = defineFindSearch(link, {
  description: 'Finds a share link by its name or URL.',
  field: textInput('query', 'Name or URL', {
    required: true,
    helpText: 'The name of the link, or its URL, for example https://share.example.com/l/4c8d1x7t.',
  }),
  onMultipleMatches: 'stop',
  searchTexts: (record) => [record.name, record['url']],
  filters: [
    {
      field: recordField(document, {
        required: false,
        helpText: 'Search only links to this document. Leave empty to search all links.',
      }),
      output: 'document_id',
    },
  ],
});
