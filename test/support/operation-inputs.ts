/** What calls of the operations need: IDs of a sandbox's objects, and fields. */
import type { Sandbox } from '../../sandbox/index.ts';

export type Ids = ReturnType<typeof findIds>;

/** Returns one ID per group. `drafts` is an agreement that was not sent, like the proposal. */
export function findIds({ state }: ReturnType<Sandbox['snapshot']>) {
  const draft = (entries: Iterable<{ id: string; status: string }>) =>
    [...entries].find(({ status }) => status === 'draft')?.id ?? '';
  const first = (entries: ReadonlyMap<string, unknown>) => [...entries.keys()][0] ?? '';
  return {
    documents: first(state.documents),
    links: first(state.links),
    rooms: first(state.rooms),
    groups: [...state.rooms.values()][0]?.groups[0]?.id ?? '',
    agreements: first(state.agreements),
    drafts: draft(state.agreements.values()),
    proposals: draft(state.proposals.values()),
    templates: first(state.templates),
    contacts: first(state.contacts),
    visits: first(state.visits),
    webhooks: first(state.webhooks),
  };
}

/** Valid fields of the operations that have some, without uploads. */
export const FIELDS: Readonly<Record<string, (ids: Ids) => object>> = {
  'links.create': ({ documents }) => ({ document_id: documents, email_required: true }),
  'links.update': () => ({ email_required: false }),
  'rooms.create': () => ({ name: 'R' }),
  'rooms.addFolder': () => ({ name: 'F' }),
  'rooms.addFile': ({ documents }) => ({ document_id: documents }),
  'rooms.addGroup': () => ({ name: 'G', emails: ['g@example.com'] }),
  'rooms.setPermissions': ({ groups }) => ({ permissions: [{ group_id: groups, access: 'view' }] }),
  'agreements.create': ({ documents }) => ({ name: 'A', document_id: documents, recipients: [{ email: 'a@a.com' }] }),
  'proposals.create': () => ({ name: 'P', email: 'p@example.com' }),
  'templates.create': () => ({ name: 'T' }),
  'templates.update': () => ({ name: 'T2' }),
  'contacts.create': () => ({ email: 'c@example.com' }),
  'contacts.update': () => ({ name: 'C' }),
  'contacts.addTags': () => ({ tags: ['vip'] }),
};
