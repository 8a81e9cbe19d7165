import { agreementList } from './agreement-list.ts';
import { agreementStatusChanged } from './agreement-status-changed.ts';
import { contactList } from './contact-list.ts';
import { documentList } from './document-list.ts';
import { envelopeSigned } from './envelope-signed.ts';
import { linkList } from './link-list.ts';
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
import { proposalList } from './proposal-list.ts';
import { proposalAccepted, proposalStatusChanged } from './proposal-status-changed.ts';
import { roomList } from './room-list.ts';
import { templateList } from './template-list.ts';
import { updatedContact } from './updated-contact.ts';

/** Instant triggers, polling triggers, and the hidden ones behind the drop-downs. */
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
  documentList,
  linkList,
  roomList,
  agreementList,
  proposalList,
  templateList,
  contactList,
];
