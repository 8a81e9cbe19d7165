import { room } from '../records/room.ts';
import { dropDownTrigger } from './list-trigger.ts';

export const roomList = dropDownTrigger(room);
