import { room } from '../records/room.ts';
import { defineDropdownTrigger } from './list-trigger.ts';

export const roomList = defineDropdownTrigger(room);
