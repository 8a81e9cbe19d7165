import { document } from '../records/document.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newDocument = defineNewRecordTrigger(document, {
  description: 'Triggers when a document is added to the workspace.',
});
