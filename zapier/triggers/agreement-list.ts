import { agreement } from '../records/agreement.ts';
import { dropDownTrigger } from './list-trigger.ts';

export const agreementList = dropDownTrigger(agreement);
