import type { Group } from '../../../src/index.ts';

/** What a person lets an app see and do, group by group. */
export const GROUP_WORDS: Readonly<Record<Group, { readonly name: string; readonly holds: string }>> = {
  documents: { name: 'Documents', holds: 'your files, their names and pages' },
  links: { name: 'Share links', holds: 'who can open which document, and how' },
  rooms: { name: 'Rooms', holds: 'data rooms, their folders, visitor groups and permissions' },
  agreements: { name: 'Agreements', holds: 'what was sent for signature, to whom, and the signed files' },
  proposals: { name: 'Proposals', holds: 'proposal pages, their prices and recipients' },
  templates: { name: 'Templates', holds: 'agreement templates of the workspace' },
  contacts: { name: 'Contacts', holds: 'names and e-mail addresses of your contacts' },
  analytics: { name: 'Analytics', holds: 'who opened what, for how long' },
  webhooks: { name: 'Webhooks', holds: 'addresses that get events of the workspace' },
  billing: { name: 'Billing', holds: 'plan, seats, usage and invoices' },
};

/** A list in a sentence. */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? 'nothing';
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
