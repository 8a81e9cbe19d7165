import { records } from '../records/kinds.ts';
import { agreementStatusChanged } from './agreement-status-changed.ts';
import { defineDropdownTrigger } from './define-list-trigger.ts';
import { envelopeSigned } from './envelope-signed.ts';
import { linkViewed } from './link-viewed.ts';
import { newAgreement } from './new-agreement.ts';
import { newContact } from './new-contact.ts';
import { newDocument } from './new-document.ts';
import { newInvoice } from './new-invoice.ts';
import { newLink } from './new-link.ts';
import { newProposal } from './new-proposal.ts';
import { newRoom } from './new-room.ts';
import { newTemplate } from './new-template.ts';
import { newVisitor } from './new-visitor.ts';
import { proposalAccepted, proposalStatusChanged } from './proposal-status-changed.ts';
import { updatedContact } from './updated-contact.ts';

export const triggers = [
  linkViewed,
  envelopeSigned,
  newDocument,
  newLink,
  newRoom,
  newAgreement,
  newProposal,
  newTemplate,
  newContact,
  updatedContact,
  newVisitor,
  newInvoice,
  agreementStatusChanged,
  proposalStatusChanged,
  proposalAccepted,
  ...records.map(defineDropdownTrigger),
];
