import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { USUAL_FIELDS } from '../assumptions.ts';
import { DraftShape, parseDraft } from '../tool/arguments.ts';
import { defineListTool, defineSendTool, defineWriteTool } from './define-tools.ts';
import { createDraftConfirmation, createDraftEffects } from './draft-confirmation.ts';

export const proposalTools = [
  defineListTool({
    name: 'list_proposals',
    description: 'Lists proposals with their status.',
    operation: 'proposals.list',
  }),
  defineWriteTool({
    name: 'create_proposal',
    description: 'Creates a draft proposal page. It is not sent until you call send_proposal.',
    operation: 'proposals.create',
    form: { shape: DraftShape, toBodies: (plain) => FORM_BODIES.proposal(parseDraft(plain)) },
    fields: `Other fields, usually: ${USUAL_FIELDS.proposal}.`,
    confirmation: createDraftConfirmation('proposal'),
    newObjectEffects: createDraftEffects('proposal'),
  }),
  defineSendTool({
    name: 'send_proposal',
    description: 'Sends a proposal to its recipients, after the user confirms. This cannot be undone.',
    operation: 'proposals.send',
    id: 'Proposal ID, from list_proposals or create_proposal.',
  }),
];
