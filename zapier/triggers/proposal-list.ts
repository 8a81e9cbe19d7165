import { proposal } from '../records/proposal.ts';
import { defineDropdownTrigger } from './define-list-trigger.ts';

export const proposalList = defineDropdownTrigger(proposal);
