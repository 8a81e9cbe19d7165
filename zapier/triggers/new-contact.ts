import { contact } from '../records/kinds.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newContact = defineNewRecordTrigger(contact, 'Triggers when a contact is added.');
