import { room } from '../records/room.ts';
import { newRecordTrigger } from './list-trigger.ts';

export const newRoom = newRecordTrigger(room, { description: 'Triggers when a room is created.' });
