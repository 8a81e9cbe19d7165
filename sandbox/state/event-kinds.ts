/** The two kinds that the API document names (§6), and those a service of this sort has besides. */
export const SANDBOX_EVENT_KINDS = [
  'link.viewed',
  'envelope.signed',
  'envelope.sent',
  'envelope.declined',
  'envelope.voided',
  'envelope.expired',
  'proposal.accepted',
  'document.created',
] as const;

export type SandboxEventKind = (typeof SANDBOX_EVENT_KINDS)[number];
