import { agreement } from '../records/kinds.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newAgreement = defineNewRecordTrigger(agreement, 'Triggers when an agreement is created.');
