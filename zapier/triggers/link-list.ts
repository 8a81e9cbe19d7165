import { link } from '../records/link.ts';
import { dropDownTrigger } from './list-trigger.ts';

export const linkList = dropDownTrigger(link);
