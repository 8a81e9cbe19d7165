import { createRandom, pick } from '../base/random.ts';
import { isProfileName, PRESETS, PROFILE_NAMES, type ProfileName } from './presets.ts';
import {
  DEFAULT_PROFILE,
  isSetting,
  type SandboxProfile,
  SWITCH_NAMES,
  SWITCHES,
  type Switch,
} from './switches.ts';

/** How a profile can be named: a preset, the settings that differ from the default, or one line of text. */
export type SandboxProfileInput = ProfileName | Partial<SandboxProfile> | string;

/**
 * A service drawn from a seed: each switch at one of its settings (those that are asked for by name at their first), all of
 * them within what the document promises.
 */
export function createRandomProfile(seed: number): SandboxProfile {
  const random = createRandom(seed);
  return Object.fromEntries(
    SWITCH_NAMES.map((name) => {
      const { settings, byName }: Switch = SWITCHES[name];
      return [name, byName ? settings[0] : pick<string>(random, settings)];
    }),
    // Each setting is drawn from the switch's own list.
  ) as SandboxProfile;
}

/**
 * Reads a profile from its name, its differences, or its one-line form: `modern`, `preset:legacy+errors=html`,
 * `random:42+ids=uuid`.
 *
 * @throws RangeError for a name, switch or setting that does not exist, naming those that do.
 */
export function resolveProfile(input: SandboxProfileInput): SandboxProfile {
  if (input === null || !/^(string|object)$/.test(typeof input) || Array.isArray(input))
    throw new RangeError(
      `A profile is a name such as modern, an object of settings, or what was learned, not ${String(input).slice(0, 80)}`,
    );
  if (typeof input !== 'string') return applySettings(DEFAULT_PROFILE, Object.entries(input));
  // A setting may hold a `+` of its own (`url+events`), so only a `+name=` starts the next one.
  const [head = '', ...settings] = input.trim().split(/\+(?=\w+=)/);
  return applySettings(
    getBaseProfile(head),
    settings.map((part): [string, string] => {
      const at = part.indexOf('=');
      return [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

/** Whether a text names a preset, a seed, or one of them with settings; a file of that name is told apart by its folder. */
export function isProfileExpression(text: string): boolean {
  const [head = ''] = text.trim().split(/\+(?=\w+=)/);
  return /^(?:random|preset):/.test(head) || isProfileName(head);
}

/** The one line that {@link resolveProfile} reads back as the same profile: the nearest preset and what differs from it. */
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

function applySettings(
  base: SandboxProfile,
  changes: readonly (readonly [string, unknown])[],
): SandboxProfile {
  // `wrongKey: 403` is meant as the setting is written; a list of one setting is none.
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
  // Every entry was just found among the settings of its switch.
  return { ...base, ...(Object.fromEntries(settings) as Partial<SandboxProfile>) };
}
