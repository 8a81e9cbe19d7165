import { agreement } from '../records/agreement.ts';
import { newRecordTrigger } from './list-trigger.ts';

export const newAgreement = newRecordTrigger(agreement, {
  description: 'Triggers when an agreement is created.',
});
