/** Learning from a sandbox that plays a learned profile gives the same profile. */
import { expect, test } from 'vitest';
import { lasting, learnOf } from '../support/learn-from.ts';

// The presets are learned, used and played in one pass: `test/core/pagination/profile-learned.test.ts`.
test.each(['random:3', 'random:10', 'random:11', 'random:18', 'random:20'])(
  'learning a service like %s from the sandbox that plays it gives the same profile',
  async (name) => {
    const first = await learnOf(name);
    expect(lasting(await learnOf(first))).toEqual(lasting(first));
  },
);
