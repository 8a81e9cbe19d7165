/**
 * A profile that the learner writes: it causes no contradiction, every list is complete in one request, and a
 * sandbox with this profile is learned as the same profile.
 */
import { expect, test } from 'vitest';
import { learn } from '../../../learn/index.ts';
import { diffProfiles } from '../../../learn/report/diff-profiles.ts';
import { createSandbox, PROFILE_NAMES, type Sandbox } from '../../../sandbox/index.ts';
import { type Contradiction, createClient, type ServiceProfile, type Transport } from '../../../src/index.ts';
import { lasting, learnOf } from '../../support/learn-from.ts';
import { createRandom } from '../../support/random.ts';
import { withoutSocket, withoutWaiting } from '../../support/without-socket.ts';

const GROUPS = ['documents', 'links', 'rooms', 'agreements', 'proposals', 'templates', 'contacts', 'webhooks'] as const;
const random = createRandom(5);
const drawn = Array.from({ length: 2 }, () => `random:${Math.floor(random() * 1_000_000)}`);
/** Includes fields that a learner could mistake: the URL of the current page, a list of links, a list of cursors. */
const pagings = ['hal', 'json-api', 'link-list', 'search-after', 'more-offset', 'page-from-0', 'header-json'].map(
  (name) => `modern+paging=${name}+pageSize=3+envelope=resource`,
);

/** Four presets that differ in everything; the sandbox tests cover random ones. */
const PLAYED = ['modern', 'ledger', 'minimal', 'raw'] as const;
const others = PROFILE_NAMES.filter((name) => !PLAYED.some((played) => played === name));

test.each(PLAYED)(
  'the profile of %s reads each list in one request, is learned again from its own sandbox, and shows no changes a day later',
  (name) =>
    useLearned(name, async ({ sandbox, settings, profile }) => {
      expect(lasting(await learnOf(profile))).toEqual(lasting(profile));
      const open = [...sandbox.snapshot().state.links.values()].find((link) => !link.expires_at && !link.password);
      await sandbox.visit(open?.id ?? '', { ndaAccepted: true, email: 'grace@example.com', pages: [3] });
      await sandbox.clock.advance(86_400_000);
      expect(diffProfiles(profile, (await learn(settings)).profile)).toEqual([]);
    }),
);

test.each([...others, ...drawn, ...pagings])('the profile of %s reads each list in one request', (name) =>
  useLearned(name),
);

interface Used {
  readonly sandbox: Sandbox;
  readonly settings: { readonly apiKey: string; readonly baseUrl: string; readonly transport: Transport };
  readonly profile: ServiceProfile;
}

/** Learns a service, uses its profile, and then runs the remaining checks on both. */
async function useLearned(name: string, last?: (used: Used) => Promise<void>): Promise<void> {
  const sandbox = await createSandbox({ seed: 1, profile: name, clock: 'manual' });
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
  // With a fresh key, whose rate limit is unused.
  await last?.({ sandbox, settings: { ...settings, apiKey: sandbox.key() }, profile });
  await sandbox.close();
}
