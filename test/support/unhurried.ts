import { PROFILE_NAMES, type ProfileName, resolveProfile, type SandboxProfile } from '../../sandbox/index.ts';

/**
 * Every preset, with a limiter that keeps nobody waiting: a service of small bursts makes each test on it take a second
 * for two calls, and says nothing that the tests of the limits (`test/sandbox/server/limits.test.ts`, `test/mcp/lists.test.ts`)
 * don't.
 */
export const UNHURRIED: readonly (readonly [ProfileName, SandboxProfile])[] = PROFILE_NAMES.map((name) => {
  const profile = resolveProfile(name);
  return [name, profile.rateLimiter === 'burst' ? { ...profile, rateLimiter: 'sliding' } : profile];
});

/**
 * Four of them, no two alike in how they write ids, names, lists, answers of a write or errors: for what is asked of every
 * preset elsewhere already (`test/core/matrix.test.ts`), and here is about what stands on the client.
 */
export const UNLIKE = UNHURRIED.filter(([name]) => ['legacy', 'numeric', 'queued', 'enterprise'].includes(name));
