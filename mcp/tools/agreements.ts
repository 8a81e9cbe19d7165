import { quoteText } from '../result/quote.ts';
import { defineListTool, defineSendTool, defineWriteTool } from './define-tools.ts';
import { downloadAgreement } from './download-agreement.ts';
import { createDraftConfirmation } from './draft-confirmation.ts';
import { createObjectPreview } from './object-preview.ts';

export const agreementTools = [
  defineListTool({
    name: 'list_agreements',
    description: 'Lists agreements.',
    operation: 'agreements.list',
  }),
  defineWriteTool({
    name: 'create_agreement',
    description: 'Creates an agreement without sending it; send_agreement sends.',
    operation: 'agreements.create',
    fields: 'Fields of the agreement, named as in list_agreements',
    confirmation: createDraftConfirmation('agreement'),
  }),
  defineSendTool({
    name: 'send_agreement',
    description: 'Sends an agreement to its recipients for signature.',
    operation: 'agreements.send',
    id: 'Agreement id',
    confirmation: ({ id }) => ({
      summary: `Send agreement ${quoteText(id)} to its recipients for signature. They get a message at once; it can't be taken back.`,
      preview: createObjectPreview('agreements', String(id)),
    }),
  }),
  downloadAgreement,
];
