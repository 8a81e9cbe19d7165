/** Each of the 42 operations once, of a sandbox: what a client needs for it is for the caller to count. */
import { expect } from 'vitest';
import type { Sandbox } from '../../sandbox/index.ts';
import { uploadStartBodies, webhookBodies } from '../../src/assumptions/index.ts';
import { learnedFirst } from '../../src/call/first-accepted.ts';
import { type Client, idOf, type OperationName } from '../../src/index.ts';

export interface Walk {
  readonly sandbox: Sandbox;
  step<Result>(operation: OperationName, run: () => PromiseLike<Result>): Promise<Result>;
}

/** The eleven that give lists, each of them whole. */
async function callLists(client: Client, { sandbox, step }: Walk): Promise<void> {
  const { state } = sandbox.snapshot();
  for (const group of [
    'documents',
    'links',
    'rooms',
    'agreements',
    'proposals',
    'templates',
    'contacts',
    'webhooks',
  ] as const) {
    const items = await step(`${group}.list`, () => client[group].list().collect());
    expect(items, group).toHaveLength(state[group].size);
  }
  const [document, link] = [first(state.documents), first(state.links)];
  await step('documents.pages', () => client.documents.pages({ id: document }).collect());
  await step('analytics.visitors', () => client.analytics.visitors({ id: link }).collect());
  await step('billing.invoices', () => client.billing.invoices().collect());
}

const first = (entries: ReadonlyMap<string, unknown>) => String([...entries.keys()][0]);

export async function callEach(client: Client, { sandbox, step }: Walk): Promise<void> {
  const { state } = sandbox.snapshot();
  const [document, link, room] = [first(state.documents), first(state.links), first(state.rooms)];
  const drafts = <One extends { id: string | number; status?: string }>(all: ReadonlyMap<string, One>) =>
    String([...all.values()].find(({ status }) => status === 'draft')?.id);
  const file = new Blob(['one']);
  await callLists(client, { sandbox, step });
  await step('documents.create', () => client.documents.create({ file, name: 'One' }));
  await step('documents.get', () => client.documents.get({ id: document }));
  const started = uploadStartBodies({ name: 'two.txt', type: 'text/plain', size: 3 });
  const session = await step('documents.startUpload', () =>
    learnedFirst(
      client.learned,
      {
        operation: 'documents.startUpload',
        bodies: started as readonly Record<string, unknown>[],
        filling: { name: 'two.txt', type: 'text/plain', size: 3 },
      },
      (body) => client.documents.startUpload(body),
    ),
  );
  await fetch(session.uploadUrl, { method: 'PUT', headers: session.headers, body: 'two' });
  const { storageKey, token } = session;
  await step('documents.finalizeUpload', () => client.documents.finalizeUpload({ storageKey, token }));
  await step('links.create', () => client.links.create({ document_id: document }));
  await step('links.update', () => client.links.update({ id: link, email_required: false }));
  await step('links.delete', () => client.links.delete({ id: link }));
  await step('rooms.create', () => client.rooms.create({ name: 'R' }));
  await step('rooms.addFolder', () => client.rooms.addFolder({ id: room, name: 'F' }));
  await step('rooms.addFile', () => client.rooms.addFile({ id: room, document_id: document }));
  await step('rooms.addGroup', () => client.rooms.addGroup({ id: room, name: 'G' }));
  const group_id = String([...state.rooms.values()][0]?.groups[0]?.id);
  await step('rooms.setPermissions', () =>
    client.rooms.setPermissions({ id: room, permissions: [{ group_id, access: 'view' }] }),
  );
  const recipients = [{ email: 'a@example.com' }];
  await step('agreements.create', () =>
    client.agreements.create({ name: 'N', document_id: document, recipients }),
  );
  await step('agreements.send', () => client.agreements.send({ id: drafts(state.agreements) }));
  await step('agreements.document', () => client.agreements.document({ id: first(state.agreements) }));
  await step('proposals.create', () => client.proposals.create({ name: 'P', email: 'p@example.com' }));
  await step('proposals.send', () => client.proposals.send({ id: drafts(state.proposals) }));
  const template = first(state.templates);
  await step('templates.get', () => client.templates.get({ id: template }));
  await step('templates.create', () => client.templates.create({ name: 'T' }));
  await step('templates.update', () => client.templates.update({ id: template, name: 'T2' }));
  await step('templates.delete', () => client.templates.delete({ id: template }));
  const contact = first(state.contacts);
  await step('contacts.create', () => client.contacts.create({ email: 'new@example.com' }));
  await step('contacts.update', () => client.contacts.update({ id: contact, name: 'C' }));
  await step('contacts.addTags', () => client.contacts.addTags({ id: contact, tags: ['vip'] }));
  await step('analytics.link', () => client.analytics.link({ id: String([...state.links.keys()][1]) }));
  await step('analytics.visit', () => client.analytics.visit({ id: first(state.visits) }));
  await step('analytics.room', () => client.analytics.room({ id: room }));
  const hook = { url: 'http://127.0.0.1:9/hook', event: ['link.viewed'] };
  const registered = await step('webhooks.create', () =>
    learnedFirst(
      client.learned,
      { operation: 'webhooks.create', bodies: webhookBodies(hook.url, hook.event), filling: hook },
      (body) => client.webhooks.create(body),
    ),
  );
  const found = (await client.webhooks.list().collect()).find((one) =>
    JSON.stringify(one).includes(hook.url),
  );
  await step('webhooks.delete', () =>
    client.webhooks.delete({ id: idOf(registered) ?? String(idOf(found)) }),
  );
  await step('billing.subscription', () => client.billing.subscription());
  await step('billing.usage', () => client.billing.usage());
}
