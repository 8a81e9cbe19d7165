import { room } from '../records/room.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findRoom = defineFindSearch(room, { onMultipleMatches: 'stop' });
