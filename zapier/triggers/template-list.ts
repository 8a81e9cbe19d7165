import { template } from '../records/template.ts';
import { defineDropdownTrigger } from './define-list-trigger.ts';

export const templateList = defineDropdownTrigger(template);
