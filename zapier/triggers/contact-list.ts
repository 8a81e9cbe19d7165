import { contact } from '../records/contact.ts';
import { defineDropdownTrigger } from './define-list-trigger.ts';

export const contactList = defineDropdownTrigger(contact);
