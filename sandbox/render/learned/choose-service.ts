import { operations } from '../../../src/operations/index.ts';
import { parseProfile, parseProfileFile, readProfileJson } from '../../../src/profile/read-profile.ts';
import type { ServiceProfile } from '../../../src/profile/service-profile.ts';
import {
  formatProfile,
  isProfileExpression,
  resolveProfile,
  type SandboxProfileInput,
} from '../../profile/choose-profile.ts';
import { DEFAULT_PROFILE, type SandboxProfile } from '../../profile/switches.ts';
import { findClosestProfile } from './nearest-profile.ts';
import { expectBounded, expectPlayable } from './validate-profile.ts';

/** Which service is played: by the settings of its switches, or as one was learned. */
export type ServiceInput = SandboxProfileInput | ServiceProfile;

export interface ResolvedService {
  readonly profile: SandboxProfile;
  /** What was learned of the service that is played; null where the settings alone say how it answers. */
  readonly serviceProfile: ServiceProfile | null;
}

/** A file by its looks; a setting may hold a `/` too. */
function isFile(text: string): boolean {
  return !isProfileExpression(text) && /[\\/]|\.json$/i.test(text);
}

function isLearned(choice: ServiceInput): choice is ServiceProfile {
  return typeof choice === 'object' && choice !== null && 'docshareProfile' in choice;
}

/**
 * The file behind a choice, where it is one: what has the looks of a file and is no line of settings.
 *
 * @throws InputError where there is no such file, or it holds no profile, naming it
 */
export async function readServiceInput<Choice extends ServiceInput | undefined>(
  choice: Choice,
): Promise<Choice | ServiceProfile> {
  if (typeof choice !== 'string' || !isFile(choice)) return choice;
  try {
    const value = await readProfileJson(choice);
    // Before it is looked at form by form: of a file without end that takes seconds.
    expectBounded(value);
    const serviceProfile = parseProfileFile(value, { path: choice });
    expectPlayable(serviceProfile);
    return serviceProfile;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The stack itself ends where a file nests without an end.
    const isStack = /call stack/.test(error.message);
    throw new RangeError(`${choice}: ${isStack ? 'it is nested too deep to be a profile' : error.message}`);
  }
}

/**
 * Reads a choice of {@link resolveProfile}, or takes what was learned: then the service runs on the nearest settings.
 *
 * @throws RangeError for a setting that does not exist, and for a profile that no service could be played from
 */
export function resolveService(choice: ServiceInput): ResolvedService {
  if (typeof choice === 'string' && isFile(choice))
    throw new RangeError(
      `${choice} is a file: start with it (--profile), or give what \`readProfile\` reads from it.`,
    );
  if (!isLearned(choice)) return { profile: resolveProfile(choice), serviceProfile: null };
  expectBounded(choice);
  const serviceProfile = parseProfile(choice);
  expectPlayable(serviceProfile);
  // A list of which nothing was learned comes whole: no other way on could be asked for.
  return {
    profile: { ...DEFAULT_PROFILE, paging: 'none', ...findClosestProfile(serviceProfile) },
    serviceProfile,
  };
}

/** More are counted. */
const MAX_NAMES = 5;

/** What is played, in one line for people; without `learned`, the line that is read back as the same service. */
export function describeService({ profile, serviceProfile }: ResolvedService): string {
  if (!serviceProfile) return formatProfile(profile);
  const day = serviceProfile.learned.at.slice(0, 10);
  const unknown = operations
    .filter(({ name }) => !serviceProfile.operations[name]?.answer)
    .map(({ name }) => name);
  const names = unknown.length > MAX_NAMES ? `${unknown.length} operations` : unknown.join(', ');
  const rest = unknown.length === 0 ? '' : ` (which alone answer ${names}: not learned)`;
  return `learned from ${new URL(serviceProfile.service).origin} on ${day}, nearest to ${formatProfile(profile)}${rest}`;
}
