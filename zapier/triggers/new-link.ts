import { link } from '../records/link.ts';
import { newRecordTrigger } from './list-trigger.ts';

export const newLink = newRecordTrigger(link, { description: 'Triggers when a share link is created.' });
