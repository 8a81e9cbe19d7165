import type { Tool } from '../tool/tool.ts';
import { activity } from './activity.ts';
import { agreementTools } from './agreements.ts';
import { analyticsTools } from './analytics.ts';
import { billingTools } from './billing.ts';
import { contactTools } from './contacts.ts';
import { documentTools } from './documents.ts';
import { findObjects } from './find.ts';
import { getObject } from './get-object.ts';
import { linkTools } from './links.ts';
import { describeNamedObjects } from './object-action.ts';
import { createPersonalLinks } from './personal-links.ts';
import { proposalTools } from './proposals.ts';
import { reportLink } from './report-link.ts';
import { reviewExposure } from './review-exposure.ts';
import { roomTools } from './rooms.ts';
import { shareDocument } from './share-document.ts';
import { templateTools } from './templates.ts';
import { updateLinks } from './update-links.ts';
import { webhookTools } from './webhooks.ts';
import { whoami } from './whoami.ts';

/** Every tool in the order of the API document, combined tools last. Hosts cache the list, so the order is stable. */
export const tools: readonly Tool[] = [
  ...documentTools,
  ...linkTools,
  ...roomTools,
  ...agreementTools,
  ...proposalTools,
  ...templateTools,
  ...contactTools,
  ...analyticsTools,
  ...webhookTools,
  ...billingTools,
  shareDocument,
  createPersonalLinks,
  updateLinks,
  reviewExposure,
  reportLink,
  findObjects,
  getObject,
  activity,
  whoami,
].map(withDescription);

function withDescription(tool: Tool): Tool {
  const fallbacks = tool.fallbacks?.map((fallback) => ({ ...fallback, tool: withDescription(fallback.tool) }));
  return {
    ...tool,
    ...(fallbacks ? { fallbacks } : {}),
    describeNamedObjects: (args, context) => describeNamedObjects(context, tool.group, args),
  };
}
