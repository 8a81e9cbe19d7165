import { proposal } from '../records/proposal.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newProposal = defineNewRecordTrigger(proposal, 'Triggers when a proposal is created.');
