import { PROFILE_NAMES, type ProfileName, resolveProfile, type SandboxProfile } from '../../sandbox/index.ts';

/**
 * Every preset with a limiter that never waits. With the small bursts of some services, each test would take a second
 * per two calls and would repeat the tests of the limits (`test/sandbox/server/limits.test.ts`,
 * `test/mcp/lists.test.ts`).
 */
export const PRESETS_WITHOUT_WAITS: readonly (readonly [ProfileName, SandboxProfile])[] = PROFILE_NAMES.map((name) => {
  const profile = resolveProfile(name);
  return [name, profile.rateLimiter === 'burst' ? { ...profile, rateLimiter: 'sliding' } : profile];
});

/** Four presets that differ in IDs, names, lists and errors, for layers above the client; the matrix runs all. */
export const DIFFERENT_PRESETS = PRESETS_WITHOUT_WAITS.filter(([name]) =>
  ['legacy', 'numeric', 'queued', 'enterprise'].includes(name),
);
