/** A learned profile causes no contradiction; lists take one request; its own sandbox is learned as the same. */
import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { diffProfiles } from '../../learn/report/diff-profiles.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { type Contradiction, createClient, type ServiceProfile } from '../../src/index.ts';
import { closeAfterTest, createFolderForTest } from '../support/cleanup.ts';
import { learnHarbor } from '../support/harbor.ts';
import { lasting, learnFrom, learnOf } from '../support/learn-from.ts';
import { writeProfile } from '../support/learned-service.ts';
import { learnEnvironment, runLearnCommand } from '../support/run-learn.ts';
import { withoutSocket, withoutWaiting } from '../support/without-socket.ts';

const GROUPS = ['documents', 'links', 'rooms', 'agreements', 'proposals', 'templates', 'contacts', 'webhooks'] as const;
/** Four presets that differ in everything; the matrix learns all others, and the sandbox tests learn random ones. */
test.each(['modern', 'ledger', 'minimal', 'raw'])(
  'the profile of %s reads each list in one request, is learned again from its own sandbox, and shows no changes a day later',
  async (name) => {
    const sandbox = await closeAfterTest(createSandbox({ seed: 1, profile: name, clock: 'manual' }));
    let sent = 0;
    const transport = withoutWaiting(sandbox, 1000, (request) => {
      sent += 1;
      return withoutSocket(request);
    });
    const settings = { apiKey: sandbox.key(), baseUrl: sandbox.url, transport };
    const { profile } = await learn(settings);
    const said: Contradiction[] = [];
    const client = createClient({ ...settings, profile, hooks: { onContradiction: (seen) => said.push(seen) } });
    const { state } = sandbox.snapshot();
    for (const group of GROUPS) {
      sent = 0;
      expect(await client[group].list().collect(), group).toHaveLength(state[group].size);
      expect(sent, group).toBe(1);
    }
    for (const id of [...state.links.keys()].map(String)) {
      await client.analytics.visitors({ id }).collect();
      await client.analytics.link({ id });
    }
    for (const id of [...state.documents.keys()].map(String)) {
      await client.documents.get({ id });
      await client.documents.pages({ id }).collect();
    }
    for (const id of state.templates.keys()) await client.templates.get({ id: String(id) });
    await client.billing.subscription();
    await client.billing.invoices().collect();
    expect(said).toEqual([]);

    expect(lasting(await learnOf(profile))).toEqual(lasting(profile));
    const open = [...state.links.values()].find((link) => !link.expires_at && !link.password);
    await sandbox.visit(open?.id ?? '', { ndaAccepted: true, email: 'grace@example.com', pages: [3] });
    await sandbox.clock.advance(86_400_000);
    // With a fresh key, whose rate limit is unused.
    const { profile: later } = await learn({ ...settings, apiKey: sandbox.key() });
    expect(diffProfiles(profile, later)).toEqual([]);
  },
);

/** Facts of a run about the service, without those about its data. */
function aboutService({ facts, rejections }: ServiceProfile): unknown {
  const { download, upload, ...others } = facts;
  const statuses = Object.entries(rejections).map(([reason, answer]) => [reason, answer.status, answer.media]);
  return { ...others, by: download?.by, at: download?.at, headers: upload?.headers, stored: upload?.stored, statuses };
}

test('learning from the sandbox that plays a service finds the same service and no changed format', async () => {
  const profile = await learnHarbor();
  const sandbox = await closeAfterTest(createSandbox({ profile, seed: 1, clock: 'manual' }));
  const folder = createFolderForTest('learned-other-');
  const path = writeProfile(folder, { ...profile, service: sandbox.url });
  const env = { ...learnEnvironment(sandbox.url, sandbox.key()), DOCSHARE_PROFILE: path };
  const { code, printed } = await runLearnCommand(['--check', '--out', folder], { env });
  expect({ code, changes: printed.match(/.* (?:before|now|added|removed).*/g) }).toEqual({ code: 0, changes: null });
  await sandbox.clock.advance(60_000);
  const apiKey = sandbox.key();
  const again = await learnFrom(sandbox, { apiKey, write: { apiKey }, budget: 120, keepNames: true });
  expect(aboutService(again.profile)).toEqual(aboutService(profile));
});

test.each([
  ['start-index', 1],
  ['start-at', 0],
] as const)('positions of %s count from %i', async (paging, first) => {
  expect((await learnOf({ paging })).operations['links.list']?.list?.next).toMatchObject({ by: 'offset', first });
});

// The presets are learned, used and played in one pass: `test/learn/profile-learned.test.ts`.
test.each(['random:3', 'random:10', 'random:11', 'random:18', 'random:20'])(
  'learning a service like %s from the sandbox that plays it gives the same profile',
  async (name) => {
    const first = await learnOf(name);
    expect(lasting(await learnOf(first))).toEqual(lasting(first));
  },
);
