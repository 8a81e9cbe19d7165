import { textInput } from '../fields/form-fields.ts';
import { document } from '../records/document.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findDocument = defineFindSearch(document, {
  description: 'Finds a document by its name.',
  field: textInput('name', 'Document Name', {
    required: true,
    helpText: 'The name as Docshare shows it.',
  }),
});
