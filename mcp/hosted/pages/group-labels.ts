import type { Group } from '../../../src/index.ts';

/** What a person lets an app see and do, group by group. */
export const GROUP_LABELS: Readonly<Record<Group, { readonly name: string; readonly contents: string }>> = {
  documents: { name: 'Documents', contents: 'your files, their names and pages' },
  links: { name: 'Share links', contents: 'who can open which document, and how' },
  rooms: { name: 'Rooms', contents: 'data rooms, their folders, visitor groups and permissions' },
  agreements: { name: 'Agreements', contents: 'what was sent for signature, to whom, and the signed files' },
  proposals: { name: 'Proposals', contents: 'proposal pages, their prices and recipients' },
  templates: { name: 'Templates', contents: 'agreement templates of the workspace' },
  contacts: { name: 'Contacts', contents: 'names and e-mail addresses of your contacts' },
  analytics: { name: 'Analytics', contents: 'who opened what, for how long' },
  webhooks: { name: 'Webhooks', contents: 'addresses that get events of the workspace' },
  billing: { name: 'Billing', contents: 'plan, seats, usage and invoices' },
};

/** A list in a sentence. */
export function joinList(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? 'nothing';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
