import { agreement } from '../records/agreement.ts';
import { defineDropdownTrigger } from './define-list-trigger.ts';

export const agreementList = defineDropdownTrigger(agreement);
