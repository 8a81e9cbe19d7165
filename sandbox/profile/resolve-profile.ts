import { createRandom, pick } from '../base/random.ts';
import { isProfileName, PRESETS, PROFILE_NAMES, type ProfileName } from './presets.ts';
import { DEFAULT_PROFILE, isSetting, type SandboxProfile, SWITCH_NAMES, SWITCHES, type Switch } from './switches.ts';

/** A preset, the settings that differ from the default, or a profile string. */
export type SandboxProfileInput = ProfileName | Partial<SandboxProfile> | string;

/**
 * Creates a profile from a seed, with a random setting of each switch (the first, if the switch is `byName`).
 * All settings comply with the API document.
 */
export function createRandomProfile(seed: number): SandboxProfile {
  const random = createRandom(seed);
  return Object.fromEntries(
    SWITCH_NAMES.map((name) => {
      const { settings, byName }: Switch = SWITCHES[name];
      return [name, byName ? settings[0] : pick<string>(random, settings)];
    }),
    // Each setting is from the switch's own list.
  ) as SandboxProfile;
}

/**
 * Parses a preset name, settings, or a profile string such as `modern`, `preset:legacy+errors=html` or
 * `random:42+ids=uuid`.
 *
 * @throws RangeError for an unknown name, switch or setting, listing the known ones
 */
export function resolveProfile(input: SandboxProfileInput): SandboxProfile {
  if (input === null || !/^(string|object)$/.test(typeof input) || Array.isArray(input))
    throw new RangeError(
      `A profile must be a name such as modern, an object of settings, or a learned profile, not ${String(input).slice(0, 80)}`,
    );
  if (typeof input !== 'string') return applySettings(DEFAULT_PROFILE, Object.entries(input));
  const [head = '', ...settings] = splitExpression(input);
  return applySettings(
    getBaseProfile(head),
    settings.map((part): [string, string] => {
      const at = part.indexOf('=');
      return [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

/** A setting may contain `+` (`url+events`), so only `+name=` starts the next one. */
function splitExpression(text: string): string[] {
  return text.trim().split(/\+(?=\w+=)/);
}

/** Returns true for a preset, a seed, or either with settings. To load a file with such a name, give a path with a folder. */
export function isProfileExpression(text: string): boolean {
  const [head = ''] = splitExpression(text);
  return /^(?:random|preset):/.test(head) || isProfileName(head);
}

/**
 * Returns the profile string that {@link resolveProfile} parses to this profile: the closest preset and the
 * differences.
 */
export function formatProfile(profile: SandboxProfile): string {
  const candidates = PROFILE_NAMES.map((name) => {
    const base = getBaseProfile(name);
    const differing = SWITCH_NAMES.filter((key) => base[key] !== profile[key]);
    return { name, differing };
  });
  const [closest] = candidates.sort((a, b) => a.differing.length - b.differing.length);
  if (!closest) throw new Error('There is no preset to start from');
  return [`preset:${closest.name}`, ...closest.differing.map((key) => `${key}=${profile[key]}`)].join('+');
}

function getBaseProfile(head: string): SandboxProfile {
  const seed = /^random:(\d+)$/.exec(head)?.[1];
  if (seed !== undefined) return createRandomProfile(Number(seed));
  const name = head.replace(/^preset:/, '');
  if (isProfileName(name)) return { ...DEFAULT_PROFILE, ...PRESETS[name] };
  throw new RangeError(`No profile "${head}": use random:SEED or one of ${PROFILE_NAMES.join(', ')}`);
}

function applySettings(base: SandboxProfile, changes: readonly (readonly [string, unknown])[]): SandboxProfile {
  // `wrongKey: 403` counts as "403"; a list of one setting is invalid.
  const settings = changes.map(([name, setting]): [string, unknown] => [
    name,
    typeof setting === 'number' ? String(setting) : setting,
  ]);
  for (const [name, setting] of settings) {
    if (typeof setting === 'string' && isSetting(name, setting)) continue;
    const known = SWITCH_NAMES.find((key) => key === name);
    throw new RangeError(
      known
        ? `No setting "${setting}" of ${known}: use one of ${SWITCHES[known].settings.join(', ')}`
        : `No switch "${name}": use one of ${SWITCH_NAMES.join(', ')}`,
    );
  }
  // Every entry was found among the settings of its switch.
  return { ...base, ...(Object.fromEntries(settings) as Partial<SandboxProfile>) };
}
