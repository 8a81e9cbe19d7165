import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { nearestAnswers } from './nearest-answers.ts';
import { nearestFacts } from './nearest-facts.ts';
import { nearestLists } from './nearest-list.ts';
import { nearestRefusals } from './nearest-refusals.ts';

/**
 * Of each switch the setting that fits what was learned; a switch about which nothing was learned, or that has no setting
 * like it, is left out.
 */
export function findClosestProfile(serviceProfile: ServiceProfile): Partial<SandboxProfile> {
  return {
    ...nearestLists(serviceProfile),
    ...nearestAnswers(serviceProfile),
    ...nearestRefusals(serviceProfile),
    ...nearestFacts(serviceProfile),
  };
}
