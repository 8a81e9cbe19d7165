import { textInput } from '../forms/form.ts';
import { proposal } from '../records/proposal.ts';
import { defineFindSearch } from './find-search.ts';

export const findProposal = defineFindSearch(proposal, {
  description: 'Finds a proposal by its name.',
  field: textInput('name', 'Proposal Name', {
    required: true,
    helpText: 'The name as Docshare shows it.',
  }),
});
