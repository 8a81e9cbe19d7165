import { textInput } from '../forms/form.ts';
import { document } from '../records/document.ts';
import { findSearch } from './find-search.ts';

export const findDocument = findSearch(document, {
  description: 'Finds a document by its name.',
  field: textInput('name', 'Document Name', {
    required: true,
    helpText: 'The name as Docshare shows it.',
  }),
});
