import { contact } from '../records/contact.ts';
import { newRecordTrigger } from './list-trigger.ts';

export const newContact = newRecordTrigger(contact, { description: 'Triggers when a contact is added.' });
