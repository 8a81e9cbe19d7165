import { link } from '../records/link.ts';
import { defineDropdownTrigger } from './list-trigger.ts';

export const linkList = defineDropdownTrigger(link);
