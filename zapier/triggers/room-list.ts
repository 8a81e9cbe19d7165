import { room } from '../records/room.ts';
import { defineDropdownTrigger } from './define-list-trigger.ts';

export const roomList = defineDropdownTrigger(room);
