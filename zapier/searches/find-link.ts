import { recordField, textInput } from '../fields/form-fields.ts';
import { document } from '../records/document.ts';
import { link } from '../records/link.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findLink = defineFindSearch(link, {
  description: 'Finds a share link by its name or its address.',
  field: textInput('query', 'Name or Address', {
    required: true,
    helpText: 'The name of the link, or its address as visitors see it.',
  }),
  onMultipleMatches: 'stop',
  searchTexts: (record) => [record.name, record['url']],
  filters: [
    {
      field: recordField(document, {
        required: false,
        helpText: 'Look only among the links to this document. Leave empty to look among all.',
      }),
      output: 'document_id',
    },
  ],
});
