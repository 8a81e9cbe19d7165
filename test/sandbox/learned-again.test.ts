/** What was learned of a service, played: whoever learns from the sandbox then learns the same. */
import { expect, test } from 'vitest';
import { lasting, learnOf } from '../support/learn-from.ts';

// The presets are learned, used and played in one walk: `test/core/profile-learned.test.ts`.
test.each(['random:3', 'random:10', 'random:11', 'random:18', 'random:20'])(
  'a service like %s is learned from the sandbox that plays it as from itself',
  async (name) => {
    const first = await learnOf(name);
    expect(lasting(await learnOf(first))).toEqual(lasting(first));
  },
);
