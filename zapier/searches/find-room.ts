import { room } from '../records/kinds.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findRoom = defineFindSearch(room, { onMultipleMatches: 'stop' });
