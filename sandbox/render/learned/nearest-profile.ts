import type { ServiceProfile } from '../../../src/profile/service-profile.ts';
import type { SandboxProfile } from '../../profile/switches.ts';
import { nearestErrors } from './nearest-errors.ts';
import { nearestFacts } from './nearest-facts.ts';
import { nearestLists } from './nearest-list.ts';
import { nearestResponses } from './nearest-responses.ts';

/**
 * Of each switch the setting that fits what was learned; a switch about which nothing was learned, or that has no setting
 * like it, is left out.
 */
export function findClosestProfile(serviceProfile: ServiceProfile): Partial<SandboxProfile> {
  return {
    ...nearestLists(serviceProfile),
    ...nearestResponses(serviceProfile),
    ...nearestErrors(serviceProfile),
    ...nearestFacts(serviceProfile),
  };
}
