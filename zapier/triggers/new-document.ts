import { document } from '../records/document.ts';
import { newRecordTrigger } from './list-trigger.ts';

export const newDocument = newRecordTrigger(document, {
  description: 'Triggers when a document is added to the workspace.',
});
