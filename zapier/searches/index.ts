import { getLinkAnalytics, getRoomAnalytics } from './analytics-reports.ts';
import { getSubscription, getUsage } from './billing-reports.ts';
import { findSearches } from './find-records.ts';
import { getDocumentPages } from './get-document-pages.ts';
import { getSignedDocument } from './get-signed-document.ts';
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
