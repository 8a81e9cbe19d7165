import { textInput } from '../fields/form-fields.ts';
import { proposal } from '../records/proposal.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findProposal = defineFindSearch(proposal, {
  description: 'Finds a proposal by its name.',
  field: textInput('name', 'Proposal Name', {
    required: true,
    helpText: 'The name as Docshare shows it.',
  }),
});
