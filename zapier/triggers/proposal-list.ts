import { proposal } from '../records/proposal.ts';
import { dropDownTrigger } from './list-trigger.ts';

export const proposalList = dropDownTrigger(proposal);
