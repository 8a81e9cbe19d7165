import { template } from '../records/kinds.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findTemplate = defineFindSearch(template, { onMultipleMatches: 'stop' });
