import { link } from '../records/link.ts';
import { defineNewRecordTrigger } from './list-trigger.ts';

export const newLink = defineNewRecordTrigger(link, {
  description: 'Triggers when a share link is created.',
});
