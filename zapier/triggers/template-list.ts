import { template } from '../records/template.ts';
import { dropDownTrigger } from './list-trigger.ts';

export const templateList = dropDownTrigger(template);
