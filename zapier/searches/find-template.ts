import { textInput } from '../fields/form-fields.ts';
import { template } from '../records/template.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findTemplate = defineFindSearch(template, {
  description: 'Finds a template by its name.',
  field: textInput('name', 'Template Name', {
    required: true,
    helpText: 'The name as Docshare shows it.',
  }),
  onMultipleMatches: 'stop',
});
