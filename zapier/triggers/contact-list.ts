import { contact } from '../records/contact.ts';
import { defineDropdownTrigger } from './list-trigger.ts';

export const contactList = defineDropdownTrigger(contact);
