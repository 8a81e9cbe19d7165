import { agreement, contact, document, link, proposal, recordKinds, room, template } from '../records/kinds.ts';
import { agreementStatusChanged } from './agreement-status-changed.ts';
import { defineDropdownTrigger, defineNewRecordTrigger } from './define-list-trigger.ts';
import { envelopeSigned } from './envelope-signed.ts';
import { linkViewed } from './link-viewed.ts';
import { newInvoice } from './new-invoice.ts';
import { newVisitor } from './new-visitor.ts';
import { proposalAccepted, proposalStatusChanged } from './proposal-status-changed.ts';
import { updatedContact } from './updated-contact.ts';

export const triggers = [
  linkViewed,
  envelopeSigned,
  defineNewRecordTrigger(document, 'Triggers when a document is added to the workspace.'),
  defineNewRecordTrigger(link, 'Triggers when a share link is created.'),
  defineNewRecordTrigger(room, 'Triggers when a room is created.'),
  defineNewRecordTrigger(agreement, 'Triggers when an agreement is created.'),
  defineNewRecordTrigger(proposal, 'Triggers when a proposal is created.'),
  defineNewRecordTrigger(template, 'Triggers when a template is created.'),
  defineNewRecordTrigger(contact, 'Triggers when a contact is added.'),
  updatedContact,
  newVisitor,
  newInvoice,
  agreementStatusChanged,
  proposalStatusChanged,
  proposalAccepted,
  ...recordKinds.map(defineDropdownTrigger),
];
