import { room } from '../records/room.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newRoom = defineNewRecordTrigger(room, 'Triggers when a room is created.');
