import { contact } from '../records/contact.ts';
import { dropDownTrigger } from './list-trigger.ts';

export const contactList = dropDownTrigger(contact);
