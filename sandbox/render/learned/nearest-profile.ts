import type { ServiceProfile } from '../../../src/profile/service-profile.ts';
import type { SandboxProfile } from '../../profile/switches.ts';
import { nearestFacts } from './nearest-facts.ts';
import { nearestLists } from './nearest-list.ts';
import { nearestResponses } from './nearest-responses.ts';

/**
 * Returns the closest setting of each switch that decides what the learned forms leave open; those without a similar
 * setting are omitted.
 */
export function findClosestProfile(serviceProfile: ServiceProfile): Partial<SandboxProfile> {
  return { ...nearestLists(serviceProfile), ...nearestResponses(serviceProfile), ...nearestFacts(serviceProfile) };
}
