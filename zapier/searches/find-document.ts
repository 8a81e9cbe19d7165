import { document } from '../records/kinds.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findDocument = defineFindSearch(document);
