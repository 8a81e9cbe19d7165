import { findSearches } from './find-records.ts';
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
  ...findSearches,
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
