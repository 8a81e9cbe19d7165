import { document } from '../records/kinds.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newDocument = defineNewRecordTrigger(document, 'Triggers when a document is added to the workspace.');
