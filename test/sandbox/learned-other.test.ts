/** Services of their own making, with names and forms that no preset has: learned, and played by the sandbox. */
import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { operations, type ServiceProfile } from '../../src/index.ts';
import { learnFrom } from '../support/learn-from.ts';
import { callEvery, differing, findOptionalFields, type Speech } from '../support/other-service/call-every.ts';
import { HARBOR_KEY, startHarbor } from '../support/other-service/harbor.ts';
import { KESTREL_KEY, startKestrel } from '../support/other-service/kestrel.ts';

type Fields = Record<string, never>;

const HARBOR: Speech = {
  list: (body) => (body as { payload: { rows: Fields[] } }).payload.rows,
  item: (body) => (body as { entry: Fields }).entry,
  visits: (visitor) => visitor['visitIds'] as string[],
  bodies: {
    'documents.startUpload': () => ({ fileName: 'two.pdf', fileType: 'application/pdf', fileSize: 13 }),
    'links.create': ({ document }) => ({ document_id: document }),
    'links.update': () => ({ email_required: true }),
    'rooms.create': () => ({ title: 'Quay 6' }),
    'rooms.addFolder': () => ({ name: 'Customs' }),
    'rooms.addFile': ({ document }) => ({ documentId: document }),
    'rooms.addGroup': () => ({ name: 'Pilots' }),
    'rooms.setPermissions': ({ group }) => ({ permissions: [{ group_id: group, access: 'view' }] }),
    'agreements.create': ({ document }) => ({
      name: 'Towage',
      document_id: document,
      signers: [{ email: 'mate@example.com', name: 'Mate' }],
    }),
    'proposals.create': () => ({ title: 'Storage', recipients: [{ email: 'mate@example.com' }] }),
    'templates.create': () => ({ title: 'Lease' }),
    'templates.update': () => ({ title: 'Long lease' }),
    'contacts.create': () => ({ email: 'pilot@example.com', full_name: 'Pilot' }),
    'contacts.update': () => ({ full_name: 'Chief pilot' }),
    'contacts.addTags': () => ({ names: ['crew'] }),
    'webhooks.create': () => ({ endpoint: 'https://hooks.example.com/x', events: ['link.viewed'] }),
  },
};

const KESTREL: Speech = {
  list: (body) => (body as { collection: Fields[] }).collection,
  item: (body) => body as Fields,
  visits: (visitor) => visitor['visit-ids'] as number[],
  bodies: {
    'links.create': ({ document }) => ({ document_id: document }),
    'links.update': () => ({ email_required: true }),
    'rooms.create': () => ({ name: 'East face' }),
    'rooms.addFolder': () => ({ name: 'Routes' }),
    'rooms.addFile': ({ document }) => ({ document_id: document }),
    'rooms.addGroup': () => ({ name: 'Climbers' }),
    'rooms.setPermissions': ({ group }) => ({ permissions: [{ group_id: group, access: 'view' }] }),
    'agreements.create': () => ({ title: 'Lease', recipients: [{ email: 'ada@example.com', name: 'Ada' }] }),
    'proposals.create': () => ({ name: 'Offer', recipients: [{ email: 'ada@example.com' }] }),
    'templates.create': () => ({ name: 'Lease' }),
    'templates.update': () => ({ name: 'Long lease' }),
    'contacts.create': () => ({ email: 'cy@example.com', first_name: 'Cy' }),
    'contacts.update': () => ({ first_name: 'Cyd' }),
    'contacts.addTags': () => ({ tags: ['climber'] }),
    'webhooks.create': () => ({ url: 'https://hooks.example.com/x', topics: ['link.viewed'] }),
  },
};

test.each([
  ['harbor', startHarbor, HARBOR_KEY, HARBOR],
  ['kestrel', startKestrel, KESTREL_KEY, KESTREL],
] as const)(
  'the sandbox that plays %s answers each operation that was learned as it does',
  async (_, start, key, speech) => {
    const service = await start();
    const { profile, stopReason } = await learn({
      apiKey: key,
      baseUrl: service.url,
      budget: 120,
      write: { apiKey: key },
      // Both have names whose words no API uses, and all are compared.
      keepNames: true,
    });
    expect(stopReason).toBeUndefined();
    const real = await callEvery({ url: service.url, key }, speech);
    await service.close();
    const sandbox = await createSandbox({ profile: JSON.parse(JSON.stringify(profile)), clock: 'manual', seed: 1 });
    const wait = () => sandbox.clock.advance(2000);
    const played = await callEvery({ url: sandbox.url, key: sandbox.key() }, speech, wait).finally(() =>
      sandbox.close(),
    );
    for (const { name } of operations) {
      // What nobody called, such as a send, is answered by the nearest switches.
      if (!profile.operations[name]?.response) continue;
      const [one, other] = [real.get(name), played.get(name)];
      if (!one || !other) throw new Error(`${name} was not called`);
      const { status, type, headers } = other;
      expect({
        name,
        status,
        type,
        headers,
        differing: differing(one, other, findOptionalFields(profile.operations[name] ?? {})),
      }).toEqual({ name, status: one.status, type: one.type, headers: one.headers, differing: [] });
    }
  },
);

/** What a run says of the service itself, not of what happens to be stored there. */
function aboutService({ facts, rejections }: ServiceProfile): unknown {
  const { download, upload, ...others } = facts;
  const statuses = Object.entries(rejections).map(([reason, answer]) => [reason, answer.status, answer.media]);
  return { ...others, by: download?.by, at: download?.at, headers: upload?.headers, stored: upload?.stored, statuses };
}

test.each([
  ['harbor', startHarbor, HARBOR_KEY],
  ['kestrel', startKestrel, KESTREL_KEY],
] as const)('who learns from the sandbox that plays %s finds the same service', async (_, start, key) => {
  const service = await start();
  const first = await learn({ apiKey: key, baseUrl: service.url, budget: 120, write: { apiKey: key } });
  await service.close();
  const sandbox = await createSandbox({ profile: first.profile, clock: 'manual', seed: 1 });
  const apiKey = sandbox.key();
  const again = await learnFrom(sandbox, { apiKey, budget: 120, write: { apiKey } });
  await sandbox.close();
  expect(aboutService(again.profile)).toEqual(aboutService(first.profile));
  // Words that no API uses might as well be the account's; all others of both are known.
  expect(JSON.stringify(first.profile)).not.toMatch(/hatched|flight|harbour/);
});

test('a value written under the field name of requests is returned under the field name of responses', async () => {
  const service = await startKestrel();
  const options = { apiKey: KESTREL_KEY, baseUrl: service.url, budget: 120, write: { apiKey: KESTREL_KEY } };
  const { profile } = await learn(options).finally(() => service.close());
  const sandbox = await createSandbox({ profile, clock: 'manual', seed: 1 });
  const headers = { authorization: `Bearer ${sandbox.key()}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'cy@example.com', first_name: 'Cy' });
  const made = await (await fetch(`${sandbox.url}/contacts`, { method: 'POST', headers, body })).json();
  expect(made).toMatchObject({ 'mail-address': 'cy@example.com', 'given-name': 'Cy', marks: [] });
  const { collection } = await (await fetch(`${sandbox.url}/contacts`, { headers })).json();
  expect(collection[0]).toMatchObject({ 'mail-address': 'cy@example.com', 'given-name': 'Cy' });
  expect(collection[1]).toMatchObject({ 'given-name': 'Maya', 'family-name': 'Fischer' });
  await sandbox.close();
});
