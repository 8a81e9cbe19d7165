import { operations } from '../../../src/operations/index.ts';
import { parseProfile, readProfileSync } from '../../../src/profile/read-profile.ts';
import type { ServiceProfile } from '../../../src/profile/service-profile.ts';
import {
  formatProfile,
  isProfileExpression,
  resolveProfile,
  type SandboxProfileInput,
} from '../../profile/resolve-profile.ts';
import { DEFAULT_PROFILE, type SandboxProfile } from '../../profile/switches.ts';
import { findClosestProfile } from './closest-profile.ts';

/** The service to emulate: settings of the switches, or a learned profile. */
export type ServiceInput = SandboxProfileInput | ServiceProfile;

export interface ResolvedService {
  readonly profile: SandboxProfile;
  /** The learned profile; null if only settings decide. */
  readonly serviceProfile: ServiceProfile | null;
}

/** Guesses whether text is a path; settings may contain `/` too. */
function isFile(text: string): boolean {
  return !isProfileExpression(text) && /[\\/]|\.json$/i.test(text);
}

function isLearned(choice: ServiceInput): choice is ServiceProfile {
  return typeof choice === 'object' && choice !== null && 'docshareProfile' in choice;
}

/**
 * Resolves a choice like {@link resolveService}, or the path of a learned profile.
 *
 * @throws Error that names a file which is missing or holds no profile
 */
export function resolveServiceOrFile(choice: ServiceInput): ResolvedService {
  return typeof choice === 'string' && isFile(choice)
    ? resolveLearned(readProfileSync(choice))
    : resolveService(choice);
}

/**
 * Resolves a choice like {@link resolveProfile}, or a learned profile with its closest settings.
 *
 * @throws RangeError for an unknown setting; InputError for an invalid profile
 */
export function resolveService(choice: ServiceInput): ResolvedService {
  if (typeof choice === 'string' && isFile(choice))
    throw new RangeError(`${choice} is a file: pass it with --profile, or pass the result of \`readProfile\`.`);
  return isLearned(choice)
    ? resolveLearned(parseProfile(choice))
    : { profile: resolveProfile(choice), serviceProfile: null };
}

function resolveLearned(serviceProfile: ServiceProfile): ResolvedService {
  // Without learned lists, lists are not paged.
  return { profile: { ...DEFAULT_PROFILE, paging: 'none', ...findClosestProfile(serviceProfile) }, serviceProfile };
}

/** Further names are only counted. */
const MAX_NAMES = 5;

/** Describes the service in one line; without a learned profile, a string that resolves to the same service. */
export function describeService({ profile, serviceProfile }: ResolvedService): string {
  if (!serviceProfile) return formatProfile(profile);
  const day = serviceProfile.learned.at.slice(0, 10);
  const unknown = operations.filter(({ name }) => !serviceProfile.operations[name]?.response).map(({ name }) => name);
  const names = unknown.length > MAX_NAMES ? `${unknown.length} operations` : unknown.join(', ');
  const rest = unknown.length === 0 ? '' : ` (operations that were not learned: ${names})`;
  return `learned from ${new URL(serviceProfile.service).origin} on ${day}, otherwise ${formatProfile(profile)}${rest}`;
}
