import { template } from '../records/template.ts';
import { newRecordTrigger } from './list-trigger.ts';

export const newTemplate = newRecordTrigger(template, { description: 'Triggers when a template is saved.' });
