import { agreement } from '../records/agreement.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findAgreement = defineFindSearch(agreement);
