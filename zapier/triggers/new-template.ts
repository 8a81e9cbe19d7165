import { template } from '../records/kinds.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newTemplate = defineNewRecordTrigger(template, 'Triggers when a template is created.');
