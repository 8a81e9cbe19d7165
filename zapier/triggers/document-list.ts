import { document } from '../records/document.ts';
import { defineDropdownTrigger } from './define-list-trigger.ts';

export const documentList = defineDropdownTrigger(document);
