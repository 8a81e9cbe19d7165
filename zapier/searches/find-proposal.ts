import { proposal } from '../records/kinds.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findProposal = defineFindSearch(proposal);
