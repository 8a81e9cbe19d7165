/** Calls each of the 42 operations of a sandbox once; the caller counts the requests of the client. */
import { expect } from 'vitest';
import type { Sandbox } from '../../sandbox/index.ts';
import { getUploadStartBodies, getWebhookBodies } from '../../src/assumptions/index.ts';
import { type Client, idOf, type OperationName, type Transport } from '../../src/index.ts';
import { tryProfileBodyFirst } from '../../src/request/try-request-bodies.ts';
import { drainBody, readBodyBytes } from '../../src/transport/transport.ts';
import { withoutSocket } from './without-socket.ts';

type Step = <Result>(operation: OperationName, run: () => PromiseLike<Result>) => Promise<Result>;

export interface Walk {
  readonly sandbox: Sandbox;
  /** Runs one operation; every request during the call belongs to it. By default, just runs it. */
  readonly step?: Step;
  /** Transport for the bytes of an upload. */
  readonly transport?: Transport;
  /** Calls only the eleven lists. */
  readonly only?: 'lists';
}

/** Calls the operations on the sandbox's data and on objects that it creates. Returns each response. */
export async function callEach(client: Client, walk: Walk): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  const { sandbox, step: run = (_, act) => Promise.resolve(act()), transport = withoutSocket } = walk;
  const step: Step = async (operation, act) => {
    const result = await run(operation, act);
    results[operation] = result;
    return result;
  };
  const { state } = sandbox.snapshot();
  const document = await callLists(client, { sandbox, state, step });
  if (walk.only === 'lists') return results;
  await callUploads(client, { document, step, transport });
  await callLinks(client, { document, state, step });
  await callRooms(client, { document, state, step });
  await callDeals(client, { document, state, step });
  await callPeople(client, step);
  await step('billing.subscription', () => client.billing.subscription());
  await step('billing.usage', () => client.billing.usage());
  return results;
}

interface Part {
  readonly state: ReturnType<Sandbox['snapshot']>['state'];
  readonly document: string;
  readonly step: Step;
}

type Listing = Omit<Part, 'document'> & { readonly sandbox: Sandbox };

type Paged = PromiseLike<{ readonly items: readonly unknown[] }> & { collect(): Promise<readonly unknown[]> };

const LISTS = [
  'documents.list',
  'links.list',
  'rooms.list',
  'agreements.list',
  'proposals.list',
  'templates.list',
  'contacts.list',
  'webhooks.list',
] as const;
type Group = (typeof LISTS)[number] extends `${infer Name}.list` ? Name : never;

/** Reads the eleven lists completely. Returns the ID of the first document. */
async function callLists(client: Client, { sandbox, state, step }: Listing): Promise<string> {
  let document = '';
  for (const name of LISTS) {
    const group = name.slice(0, -'.list'.length) as Group;
    const items = await step(name, () => client[group].list().collect());
    expect(items, group).toHaveLength(state[group].size);
    if (group === 'documents') document = String(idOf(items[0]));
  }
  // A profile written for a service whose pagination nobody learned can't continue either.
  const items = async (list: Paged) => (sandbox.serviceProfile ? (await list).items : await list.collect());
  await step('documents.pages', () => items(client.documents.pages({ id: first(state.documents) })));
  await step('analytics.visitors', () => items(client.analytics.visitors({ id: first(state.links) })));
  await step('billing.invoices', () => client.billing.invoices().collect());
  return document;
}

async function callUploads(
  client: Client,
  { document, step, transport }: Omit<Part, 'state'> & { transport: Transport },
): Promise<void> {
  const file = new Blob(['one']);
  const created = await step('documents.create', () => client.documents.create({ file, name: 'One' }));
  expect(created.id).toBeTypeOf('string');
  await step('documents.get', () => client.documents.get({ id: document }));
  const filling = { name: 'two.txt', type: 'text/plain', size: 3 };
  const bodies = getUploadStartBodies(filling) as readonly Record<string, unknown>[];
  const session = await step('documents.startUpload', () =>
    tryProfileBodyFirst(
      client.activeProfile,
      { operation: 'documents.startUpload', bodies, placeholderValues: filling },
      (body) => client.documents.startUpload(body),
    ),
  );
  const { uploadUrl: url, headers } = session;
  await drainBody(await transport({ method: 'PUT', url, headers, body: 'two' }));
  const { storageKey, token } = session;
  await step('documents.finalizeUpload', () => client.documents.finalizeUpload({ storageKey, token }));
}

async function callLinks(client: Client, { document, state, step }: Part): Promise<void> {
  const { links, visits } = state;
  const link = await step('links.create', () => client.links.create({ document_id: document, email_required: true }));
  expect([link.url, link.email_required ?? true]).toEqual([expect.stringMatching(/^http/), true]);
  const all = await client.links.list().collect();
  expect(all, 'links of all pages').toHaveLength(links.size + 1);
  expect((await client.links.list({ limit: 2 })).items.length, 'links of one page').toBeGreaterThan(0);
  const id = String(idOf(all[0]));
  await step('links.update', () => client.links.update({ id, email_required: false }));
  await step('links.delete', () => client.links.delete({ id }));
  const other = [...links.keys()].map(String).find((one) => one !== id) ?? '';
  await step('analytics.link', () => client.analytics.link({ id: other }));
  await step('analytics.visit', () => client.analytics.visit({ id: first(visits) }));
}

async function callRooms(client: Client, { document, state, step }: Part): Promise<void> {
  const { rooms } = state;
  const created = await step('rooms.create', () => client.rooms.create({ name: 'Matrix room' }));
  const id = await idAfter(created, client.rooms, 'Matrix room');
  await step('rooms.addFolder', () => client.rooms.addFolder({ id, name: 'F' }));
  await step('rooms.addFile', () => client.rooms.addFile({ id, document_id: document }));
  await step('rooms.addGroup', () => client.rooms.addGroup({ id, name: 'G' }));
  const group_id = String([...rooms.values()][0]?.groups[0]?.id);
  await step('rooms.setPermissions', () =>
    client.rooms.setPermissions({ id: first(rooms), permissions: [{ group_id, access: 'view' }] }),
  );
  await step('analytics.room', () => client.analytics.room({ id: first(rooms) }));
}

/** Agreements, proposals and their templates. */
async function callDeals(client: Client, { document, state, step }: Part): Promise<void> {
  const agreement = await step('agreements.create', () =>
    client.agreements.create({ name: 'Matrix NDA', document_id: document, recipients: [{ email: 'a@example.com' }] }),
  );
  const draft = await idAfter(agreement, client.agreements, 'Matrix NDA');
  await step('agreements.send', () => client.agreements.send({ id: draft }));
  const file = await step('agreements.document', () => client.agreements.document({ id: first(state.agreements) }));
  const { bytes } = await file.open();
  expect((await readBodyBytes(bytes, 10_000_000)).bytes.byteLength).toBeGreaterThan(100);
  const proposal = await step('proposals.create', () =>
    client.proposals.create({ name: 'Matrix offer', email: 'p@example.com' }),
  );
  const offer = await idAfter(proposal, client.proposals, 'Matrix offer');
  await step('proposals.send', () => client.proposals.send({ id: offer }));
  const template = await step('templates.create', () => client.templates.create({ name: 'Matrix form' }));
  const id = await idAfter(template, client.templates, 'Matrix form');
  await step('templates.get', () => client.templates.get({ id }));
  await step('templates.update', () => client.templates.update({ id, name: 'T2' }));
  await step('templates.delete', () => client.templates.delete({ id }));
}

/** Contacts and webhooks. */
async function callPeople(client: Client, step: Step): Promise<void> {
  const email = 'matrix@example.com';
  const contact = await step('contacts.create', () => client.contacts.create({ email }));
  const id = await idAfter(contact, client.contacts, email);
  await step('contacts.update', () => client.contacts.update({ id, name: 'C' }));
  await step('contacts.addTags', () => client.contacts.addTags({ id, tags: ['vip'] }));
  const filling = { url: 'http://127.0.0.1:9/hook', event: ['link.viewed'] };
  const bodies = getWebhookBodies(filling.url, filling.event);
  const webhook = await step('webhooks.create', () =>
    tryProfileBodyFirst(
      client.activeProfile,
      { operation: 'webhooks.create', bodies, placeholderValues: filling },
      (body) => client.webhooks.create(body),
    ),
  );
  const hook = await idAfter(webhook, client.webhooks, '127.0.0.1:9/hook');
  await step('webhooks.delete', () => client.webhooks.delete({ id: hook }));
}

const first = (entries: ReadonlyMap<unknown, unknown>) => String([...entries.keys()][0]);

interface Listed {
  list(): { collect(): Promise<object[]> };
}

/** Returns the ID of a created object, from the response or by its mark: §4 promises an ID only for documents. */
async function idAfter(created: unknown, group: Listed, mark: string): Promise<string> {
  const told = idOf(created);
  if (told !== undefined) return told;
  return String(idOf((await group.list().collect()).find((item) => JSON.stringify(item).includes(mark))));
}
