import { quoted } from '../answer/quoted.ts';
import { downloadAgreement } from './download-agreement.ts';
import { draftGate } from './draft-gate.ts';
import { lookUp } from './look-up.ts';
import { listTool, sendTool, writeTool } from './tool-kinds.ts';

export const agreementTools = [
  listTool({
    name: 'list_agreements',
    description: 'Lists agreements.',
    operation: 'agreements.list',
  }),
  writeTool({
    name: 'create_agreement',
    description: 'Creates an agreement without sending it; send_agreement sends.',
    operation: 'agreements.create',
    fields: 'Fields of the agreement, named as in list_agreements',
    gate: draftGate('agreement'),
  }),
  sendTool({
    name: 'send_agreement',
    description: 'Sends an agreement to its recipients for signature.',
    operation: 'agreements.send',
    id: 'Agreement id',
    gate: ({ id }) => ({
      summary: `Send agreement ${quoted(id)} to its recipients for signature. They get a message at once; it can't be taken back.`,
      preview: lookUp('agreements', String(id)),
    }),
  }),
  downloadAgreement,
];
