import { link } from '../records/kinds.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newLink = defineNewRecordTrigger(link, 'Triggers when a share link is created.');
