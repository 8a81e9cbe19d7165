import { document } from '../records/document.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findDocument = defineFindSearch(document);
