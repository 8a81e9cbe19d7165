import { expect } from 'vitest';
import type { Sandbox } from '../../sandbox/index.ts';
import { uploadStartBodies, webhookBodies } from '../../src/assumptions/index.ts';
import { firstAccepted } from '../../src/call/first-accepted.ts';
import { type Client, idOf, type OperationName } from '../../src/index.ts';
import { readBytes } from '../../src/wire/transport.ts';

/** Every operation, through the client, on what a sandbox holds and on what is made on the way. */
export async function callEverything(
  client: Client,
  sandbox: Sandbox,
): Promise<Record<OperationName, unknown>> {
  const { state } = sandbox.snapshot();
  const first = (entries: ReadonlyMap<string, { id: string | number; status?: string }>, status?: string) =>
    String([...entries.values()].find((entry) => status === undefined || entry.status === status)?.id);
  const visit = first(state.visits);
  const agreement = first(state.agreements);
  const group = String([...state.rooms.values()][0]?.groups[0]?.id);

  const documents = client.documents.list();
  expect(await documents.collect(), 'documents of all pages').toHaveLength(state.documents.size);
  const id = String(idOf((await documents).items[0]));
  const created = await client.documents.create({ file: new Blob(['one']), name: 'One' });
  expect(created.id).toBeTypeOf('string');
  const session = await firstAccepted(
    uploadStartBodies({ name: 'two.txt', type: 'text/plain', size: 3 }),
    (body) => client.documents.startUpload(body),
  );
  await fetch(session.uploadUrl, { method: 'PUT', headers: session.headers, body: 'two' });

  const link = await client.links.create({ document_id: created.id, email_required: true });
  expect([link.url, link.email_required ?? true]).toEqual([expect.stringMatching(/^http/), true]);
  const links = await client.links.list().collect();
  expect(links, 'links of all pages').toHaveLength(state.links.size + 1);
  const linkId = String(idOf(links[0]));
  const room = await idAfter(
    client.rooms.create({ name: 'Matrix room' }),
    client.rooms.list(),
    'Matrix room',
  );
  const recipients = [{ email: 'a@example.com' }];
  const draft = await idAfter(
    client.agreements.create({ name: 'Matrix NDA', document_id: id, recipients }),
    client.agreements.list(),
    'Matrix NDA',
  );
  const proposal = await idAfter(
    client.proposals.create({ name: 'Matrix offer', email: 'p@example.com' }),
    client.proposals.list(),
    'Matrix offer',
  );
  const template = await idAfter(
    client.templates.create({ name: 'Matrix form' }),
    client.templates.list(),
    'Matrix form',
  );
  const email = 'matrix@example.com';
  const contact = await idAfter(client.contacts.create({ email }), client.contacts.list(), email);
  const webhook = await firstAccepted(webhookBodies('http://127.0.0.1:9/hook', ['link.viewed']), (body) =>
    client.webhooks.create(body),
  );
  const file = await client.agreements.document({ id: agreement });
  const body = await file.open();
  expect((await readBytes(body.bytes, 10_000_000)).bytes.byteLength).toBeGreaterThan(100);

  return {
    'documents.list': await documents,
    'documents.create': created,
    'documents.get': await client.documents.get({ id }),
    'documents.pages': await client.documents.pages({ id }),
    'documents.startUpload': session,
    'documents.finalizeUpload': await client.documents.finalizeUpload({
      storageKey: session.storageKey,
      token: session.token,
    }),
    'links.list': await client.links.list({ limit: 2 }),
    'links.create': link,
    'links.update': await client.links.update({ id: linkId, email_required: false }),
    'links.delete': await client.links.delete({ id: linkId }),
    'rooms.list': await client.rooms.list(),
    'rooms.create': { room },
    'rooms.addFolder': await client.rooms.addFolder({ id: room, name: 'F' }),
    'rooms.addFile': await client.rooms.addFile({ id: room, document_id: id }),
    'rooms.addGroup': await client.rooms.addGroup({ id: room, name: 'G' }),
    'rooms.setPermissions': await client.rooms.setPermissions({
      id: first(state.rooms),
      permissions: [{ group_id: group, access: 'view' }],
    }),
    'agreements.list': await client.agreements.list(),
    'agreements.create': { draft },
    'agreements.send': await client.agreements.send({ id: draft }),
    'agreements.document': file,
    'proposals.list': await client.proposals.list(),
    'proposals.create': { proposal },
    'proposals.send': await client.proposals.send({ id: proposal }),
    'templates.list': await client.templates.list(),
    'templates.get': await client.templates.get({ id: template }),
    'templates.create': { template },
    'templates.update': await client.templates.update({ id: template, name: 'T2' }),
    'templates.delete': await client.templates.delete({ id: template }),
    'contacts.list': await client.contacts.list(),
    'contacts.create': { contact },
    'contacts.update': await client.contacts.update({ id: contact, name: 'C' }),
    'contacts.addTags': await client.contacts.addTags({ id: contact, tags: ['vip'] }),
    'analytics.link': await client.analytics.link({ id: first(state.links) }),
    'analytics.visitors': await client.analytics.visitors({ id: first(state.links) }),
    'analytics.visit': await client.analytics.visit({ id: visit }),
    'analytics.room': await client.analytics.room({ id: first(state.rooms) }),
    'webhooks.list': await client.webhooks.list(),
    'webhooks.create': webhook,
    'webhooks.delete': await client.webhooks.delete({
      id: await idAfter(webhook, client.webhooks.list(), '127.0.0.1:9/hook'),
    }),
    'billing.subscription': await client.billing.subscription(),
    'billing.invoices': await client.billing.invoices(),
    'billing.usage': await client.billing.usage(),
  };
}

/** The id of what was created: told in answer, or found by its mark; §4 promises an id of documents alone. */
async function idAfter(
  creation: unknown,
  list: { collect(): Promise<Record<string, unknown>[]> },
  mark: string,
): Promise<string> {
  const told = idOf(await creation);
  if (told !== undefined) return told;
  const found = (await list.collect()).find((item) => JSON.stringify(item).includes(mark));
  return String(idOf(found));
}
