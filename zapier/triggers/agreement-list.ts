import { agreement } from '../records/agreement.ts';
import { defineDropdownTrigger } from './list-trigger.ts';

export const agreementList = defineDropdownTrigger(agreement);
