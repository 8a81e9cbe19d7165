/** What was learned of a service, played: whoever learns from the sandbox then learns the same. */
import { expect, test } from 'vitest';
import { createSandbox, PROFILE_NAMES, type ServiceChoice } from '../../sandbox/index.ts';
import type { LearnedProfile } from '../../src/profile/format.ts';
import { learnFrom } from '../world/learn-from.ts';

async function learned(profile: ServiceChoice): Promise<LearnedProfile> {
  const sandbox = await createSandbox({ seed: 1, clock: 'manual', profile });
  try {
    return (await learnFrom(sandbox)).profile;
  } finally {
    await sandbox.close();
  }
}

/** Without what differs from start to start, and how often something was seen. */
function lasting({ operations, resources, refusals, facts, scopes }: LearnedProfile): unknown {
  const text = JSON.stringify({ operations, resources, refusals, facts, scopes }, (name, value) =>
    ['x-seen', 'seen', 'examples', 'life', 'x-internal'].includes(name) ? undefined : value,
  );
  return JSON.parse(text);
}

test.each([...PROFILE_NAMES, 'random:3', 'random:10', 'random:11', 'random:18', 'random:20'])(
  'a service like %s is learned from the sandbox that plays it as from itself',
  async (name) => {
    const first = await learned(name);
    expect(lasting(await learned(first))).toEqual(lasting(first));
  },
);
