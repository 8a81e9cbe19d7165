import { findAgreement } from './find-agreement.ts';
import { findContact } from './find-contact.ts';
import { findDocument } from './find-document.ts';
import { findLink } from './find-link.ts';
import { findProposal } from './find-proposal.ts';
import { findRoom } from './find-room.ts';
import { findTemplate } from './find-template.ts';
import { getDocumentPages } from './get-document-pages.ts';
import { getLinkAnalytics } from './get-link-analytics.ts';
import { getRoomAnalytics } from './get-room-analytics.ts';
import { getSignedDocument } from './get-signed-document.ts';
import { getSubscription } from './get-subscription.ts';
import { getUsage } from './get-usage.ts';
import { getVisit } from './get-visit.ts';
import { listInvoices } from './list-invoices.ts';
import { listLinkVisitors } from './list-link-visitors.ts';

export const searches = [
  findDocument,
  findLink,
  findRoom,
  findAgreement,
  findProposal,
  findTemplate,
  findContact,
  getDocumentPages,
  getLinkAnalytics,
  listLinkVisitors,
  getVisit,
  getRoomAnalytics,
  getSignedDocument,
  getSubscription,
  listInvoices,
  getUsage,
];
