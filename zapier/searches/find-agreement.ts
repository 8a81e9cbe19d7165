import { agreement } from '../records/kinds.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findAgreement = defineFindSearch(agreement);
