import { template } from '../records/template.ts';
import { defineDropdownTrigger } from './list-trigger.ts';

export const templateList = defineDropdownTrigger(template);
