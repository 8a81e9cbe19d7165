/** A learned service, learned again from the sandbox that plays it. */
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { createFolderForTest } from '../support/cleanup.ts';
import { learnHarbor } from '../support/harbor.ts';
import { lasting, learnFrom, learnOf } from '../support/learn-from.ts';
import { writeProfile } from '../support/learned-service.ts';
import { learnEnvironment, runLearnCommand } from '../support/run-learn.ts';

/** Facts of a run about the service, without those about its data. */
function aboutService({ facts, rejections }: ServiceProfile): unknown {
  const { download, upload, ...others } = facts;
  const statuses = Object.entries(rejections).map(([reason, answer]) => [reason, answer.status, answer.media]);
  return { ...others, by: download?.by, at: download?.at, headers: upload?.headers, stored: upload?.stored, statuses };
}

test('learning from the sandbox that plays a service finds the same service and no changed format', async () => {
  const profile = await learnHarbor();
  const sandbox = await createSandbox({ profile, seed: 1, clock: 'manual' });
  const folder = createFolderForTest('learned-other-');
  try {
    const path = writeProfile(folder, { ...profile, service: sandbox.url });
    const env = { ...learnEnvironment(sandbox.url, sandbox.key()), DOCSHARE_PROFILE: path };
    const { code, printed } = await runLearnCommand(['--check', '--out', folder], { env });
    expect({ code, changes: printed.match(/.* (?:before|now|added|removed).*/g) }).toEqual({ code: 0, changes: null });
    await sandbox.clock.advance(60_000);
    const apiKey = sandbox.key();
    const again = await learnFrom(sandbox, { apiKey, write: { apiKey }, budget: 120, keepNames: true });
    expect(aboutService(again.profile)).toEqual(aboutService(profile));
  } finally {
    await sandbox.close();
  }
});

test.each([
  ['start-index', 1],
  ['start-at', 0],
] as const)('the positions of %s count from %i', async (paging, first) => {
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
