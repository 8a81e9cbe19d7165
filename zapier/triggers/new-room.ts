import { room } from '../records/kinds.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newRoom = defineNewRecordTrigger(room, 'Triggers when a room is created.');
