import { template } from '../records/template.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newTemplate = defineNewRecordTrigger(template, {
  description: 'Triggers when a template is saved.',
});
