import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { createSandbox, PROFILE_NAMES } from '../../sandbox/index.ts';
import { createUndiciTransport } from '../../src/index.ts';
import { parseProfile } from '../../src/profile/read-profile.ts';

/** A service whose clock goes on by itself, so that no limit keeps a test waiting. */
async function learnFrom(profile: string) {
  const sandbox = await createSandbox({ seed: 1, clock: 'manual', profile });
  const wire = createUndiciTransport();
  try {
    const transport: typeof wire = Object.assign((request: Parameters<typeof wire>[0]) => {
      sandbox.clock.advance(600);
      return wire(request);
    }, wire);
    const learned = await learn({ apiKey: sandbox.key(), baseUrl: sandbox.url, transport });
    return { ...learned, log: sandbox.log.entries() };
  } finally {
    await wire.close();
    await sandbox.close();
  }
}

test.for(PROFILE_NAMES)('%s is learned by reading, in few calls, and its profile is one', async (name) => {
  const { profile, ended, log } = await learnFrom(name);
  expect(ended).toBeUndefined();
  expect(parseProfile(JSON.parse(JSON.stringify(profile)))).toEqual(profile);
  expect(log.filter(({ effect }) => effect)).toEqual([]);
  expect(log.length).toBeLessThanOrEqual(60);
});
