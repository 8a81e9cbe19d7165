import { document } from '../records/document.ts';
import { defineDropdownTrigger } from './list-trigger.ts';

export const documentList = defineDropdownTrigger(document);
