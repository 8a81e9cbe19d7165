import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { USUAL_FIELDS } from '../assumptions.ts';
import { DraftShape, parseDraft } from '../tool/arguments.ts';
import { defineListTool, defineSendTool, defineWriteTool } from './define-tools.ts';
import { downloadAgreement } from './download-agreement.ts';
import { createDraftConfirmation, createDraftEffects } from './draft-confirmation.ts';

export const agreementTools = [
  defineListTool({
    name: 'list_agreements',
    description: 'Lists agreements with their status.',
    operation: 'agreements.list',
  }),
  defineWriteTool({
    name: 'create_agreement',
    description: 'Creates a draft agreement. It is not sent until you call send_agreement.',
    operation: 'agreements.create',
    form: { shape: DraftShape, toBodies: (plain) => FORM_BODIES.agreement(parseDraft(plain)) },
    fields: `Other fields, usually: ${USUAL_FIELDS.agreement}.`,
    confirmation: createDraftConfirmation('agreement'),
    newObjectEffects: createDraftEffects('agreement'),
  }),
  defineSendTool({
    name: 'send_agreement',
    description: 'Sends an agreement to its recipients for signature, after the user confirms. This cannot be undone.',
    operation: 'agreements.send',
    id: 'Agreement ID, from list_agreements or create_agreement.',
    purpose: ' for signature',
  }),
  downloadAgreement,
];
