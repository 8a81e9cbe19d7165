import { template } from '../records/template.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findTemplate = defineFindSearch(template, { onMultipleMatches: 'stop' });
