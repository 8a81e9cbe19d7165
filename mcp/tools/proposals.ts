import { quoteText } from '../result/quote.ts';
import { defineListTool, defineSendTool, defineWriteTool } from './define-tools.ts';
import { createDraftConfirmation } from './draft-confirmation.ts';
import { createObjectPreview } from './object-preview.ts';

export const proposalTools = [
  defineListTool({
    name: 'list_proposals',
    description: 'Lists proposals and their states.',
    operation: 'proposals.list',
  }),
  defineWriteTool({
    name: 'create_proposal',
    description: 'Creates a proposal page without sending it; send_proposal sends.',
    operation: 'proposals.create',
    fields: 'Fields of the proposal, named as in list_proposals',
    confirmation: createDraftConfirmation('proposal'),
  }),
  defineSendTool({
    name: 'send_proposal',
    description: 'Sends a proposal to its recipients.',
    operation: 'proposals.send',
    id: 'Proposal id',
    confirmation: ({ id }) => ({
      summary: `Send proposal ${quoteText(id)} to its recipients. They get a message at once; it can't be taken back.`,
      preview: createObjectPreview('proposals', String(id)),
    }),
  }),
];
