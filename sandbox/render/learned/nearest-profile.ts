import type { ServiceProfile } from '../../../src/profile/service-profile.ts';
import type { SandboxProfile } from '../../profile/switches.ts';
import { nearestErrors } from './nearest-errors.ts';
import { nearestFacts } from './nearest-facts.ts';
import { nearestLists } from './nearest-list.ts';
import { nearestResponses } from './nearest-responses.ts';

/** Returns the closest setting of each switch; switches without a learned or similar setting are omitted. */
export function findClosestProfile(serviceProfile: ServiceProfile): Partial<SandboxProfile> {
  return {
    ...nearestLists(serviceProfile),
    ...nearestResponses(serviceProfile),
    ...nearestErrors(serviceProfile),
    ...nearestFacts(serviceProfile),
  };
}
