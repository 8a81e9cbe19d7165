/** The two kinds that the API document names (§6), and those a service of this sort has besides. */
export const EVENT_KINDS = [
  'link.viewed',
  'envelope.signed',
  'envelope.sent',
  'envelope.declined',
  'envelope.voided',
  'envelope.expired',
  'proposal.accepted',
  'document.created',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];
