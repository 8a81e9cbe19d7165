import { proposal } from '../records/proposal.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findProposal = defineFindSearch(proposal);
