import type { ServiceProfile } from '../../../src/profile/service-profile.ts';
import { isSetting, type SandboxProfile } from '../../profile/switches.ts';
import { findClosestListSettings } from './closest-list.ts';
import { findClosestResponseSettings } from './closest-responses.ts';
import type { Closest } from './closest-settings.ts';

/**
 * Returns the closest setting of each switch that decides what the learned forms leave open; those without a similar
 * setting are omitted.
 */
export function findClosestProfile(serviceProfile: ServiceProfile): Partial<SandboxProfile> {
  const closest: Closest = {
    ...findClosestListSettings(serviceProfile),
    ...findClosestResponseSettings(serviceProfile),
    ...findClosestFactSettings(serviceProfile),
  };
  const known = Object.entries(closest).filter(([name, setting]) => setting !== undefined && isSetting(name, setting));
  return Object.fromEntries(known);
}

const BY_STATUS = ['wrongKey', 'missingScope', 'unknownId', 'badBody', 'conflict'] as const;

/** Returns the settings that single facts and statuses decide, where the learned forms leave something open. */
function findClosestFactSettings({ facts, rejections }: ServiceProfile): Closest {
  const { limit, requestId, removals, upload, download, webhookSecret, event } = facts;
  const sameOrigin = upload?.sameOrigin ?? download?.sameOrigin;
  const statuses = BY_STATUS.map((reason) => {
    const seen =
      rejections[reason] ??
      (reason === 'wrongKey' ? rejections.noKey : reason === 'badBody' ? rejections.badQuery : undefined);
    return [reason, seen?.status.toString()];
  });
  return {
    ...Object.fromEntries(statuses),
    naming: facts.naming,
    ids: facts.ids,
    dates: facts.times,
    nulls: facts.nulls,
    requestId: requestId === null ? 'none' : requestId?.toLowerCase(),
    rateLimiter: limit?.kind,
    rateLimitHeaders: limit?.hint,
    undocumentedDeletes: removals && (removals.length > 0 ? 'all' : 'documented'),
    encryption: upload?.encryption ?? (upload && 'none'),
    storageOrigin: sameOrigin === undefined ? undefined : sameOrigin ? 'same' : 'other-port',
    webhookSecretField: webhookSecret === null ? 'none' : undefined,
    signature: event?.signature,
  };
}
