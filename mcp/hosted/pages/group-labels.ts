import type { Group } from '../../../src/index.ts';

/** Names and contents of the groups on the consent page. */
export const GROUP_LABELS: Readonly<Record<Group, { readonly name: string; readonly contents: string }>> = {
  documents: { name: 'Documents', contents: 'Your files, their names and pages' },
  links: { name: 'Share links', contents: 'Who can open which document, and how' },
  rooms: { name: 'Rooms', contents: 'Data rooms, their folders, visitor groups and permissions' },
  agreements: { name: 'Agreements', contents: 'What was sent for signature, to whom, and the signed files' },
  proposals: { name: 'Proposals', contents: 'Proposal pages, their prices and recipients' },
  templates: { name: 'Templates', contents: 'Agreement templates of the workspace' },
  contacts: { name: 'Contacts', contents: 'Names and email addresses of your contacts' },
  analytics: { name: 'Analytics', contents: 'Who opened what, and for how long' },
  webhooks: { name: 'Webhooks', contents: 'URLs that receive events from the workspace' },
  billing: { name: 'Billing', contents: 'Plan, seats, usage and invoices' },
};
