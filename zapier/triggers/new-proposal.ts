import { proposal } from '../records/kinds.ts';
import { defineNewRecordTrigger } from './define-list-trigger.ts';

export const newProposal = defineNewRecordTrigger(proposal, 'Triggers when a proposal is created.');
