/** The two kinds of the API document (§6), and those that similar services have. */
export const SANDBOX_EVENT_KINDS = [
  'link.viewed',
  'envelope.signed',
  'envelope.sent',
  'envelope.declined',
  'envelope.voided',
  'envelope.expired',
  'proposal.accepted',
  'proposal.declined',
  'document.created',
] as const;

export type SandboxEventKind = (typeof SANDBOX_EVENT_KINDS)[number];
