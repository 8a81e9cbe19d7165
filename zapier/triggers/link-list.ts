import { link } from '../records/link.ts';
import { defineDropdownTrigger } from './define-list-trigger.ts';

export const linkList = defineDropdownTrigger(link);
