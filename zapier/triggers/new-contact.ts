import { contact } from '../records/contact.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newContact = defineNewRecordTrigger(contact, 'Triggers when a contact is added.');
