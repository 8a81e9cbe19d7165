import { textInput } from '../fields/form-fields.ts';
import { room } from '../records/room.ts';
import { defineFindSearch } from './define-find-search.ts';

export const findRoom = defineFindSearch(room, {
  description: 'Finds a room by its name.',
  field: textInput('name', 'Room Name', {
    required: true,
    helpText: 'The name as Docshare shows it.',
  }),
  onMultipleMatches: 'stop',
});
