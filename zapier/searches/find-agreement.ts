import { textInput } from '../fields/form-fields.ts';
import { agreement } from '../records/agreement.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findAgreement = defineFindSearch(agreement, {
  description: 'Finds an agreement by its name.',
  field: textInput('name', 'Agreement Name', {
    required: true,
    helpText: 'The name as Docshare shows it.',
  }),
});
