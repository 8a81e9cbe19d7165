import { proposal } from '../records/proposal.ts';
import { newRecordTrigger } from './list-trigger.ts';

export const newProposal = newRecordTrigger(proposal, {
  description: 'Triggers when a proposal is created.',
});
