import { chooseProfile, PROFILE_NAMES, type Profile, type ProfileName } from '../../sandbox/index.ts';

/**
 * Every preset, with a limiter that keeps nobody waiting: a service of small bursts makes each test on it take a second
 * for two calls, and says nothing that the tests of the limits (`test/sandbox/limits.test.ts`, `test/mcp/lists.test.ts`)
 * don't.
 */
export const UNHURRIED: readonly (readonly [ProfileName, Profile])[] = PROFILE_NAMES.map((name) => {
  const profile = chooseProfile(name);
  return [name, profile.limiter === 'burst' ? { ...profile, limiter: 'sliding' } : profile];
});
