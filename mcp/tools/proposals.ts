import { quoted } from '../answer/quoted.ts';
import { draftGate } from './draft-gate.ts';
import { lookUp } from './look-up.ts';
import { listTool, sendTool, writeTool } from './tool-kinds.ts';

export const proposalTools = [
  listTool({
    name: 'list_proposals',
    description: 'Lists proposals and their states.',
    operation: 'proposals.list',
  }),
  writeTool({
    name: 'create_proposal',
    description: 'Creates a proposal page without sending it; send_proposal sends.',
    operation: 'proposals.create',
    fields: 'Fields of the proposal, named as in list_proposals',
    gate: draftGate('proposal'),
  }),
  sendTool({
    name: 'send_proposal',
    description: 'Sends a proposal to its recipients.',
    operation: 'proposals.send',
    id: 'Proposal id',
    gate: ({ id }) => ({
      summary: `Send proposal ${quoted(id)} to its recipients. They get a message at once; it can't be taken back.`,
      preview: lookUp('proposals', String(id)),
    }),
  }),
];
