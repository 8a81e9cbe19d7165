import { document } from '../records/document.ts';
import { dropDownTrigger } from './list-trigger.ts';

export const documentList = dropDownTrigger(document);
