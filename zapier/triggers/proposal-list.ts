import { proposal } from '../records/proposal.ts';
import { defineDropdownTrigger } from './list-trigger.ts';

export const proposalList = defineDropdownTrigger(proposal);
