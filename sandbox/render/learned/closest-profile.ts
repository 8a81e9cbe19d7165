import type { ServiceProfile } from '../../../src/profile/service-profile.ts';
import type { SandboxProfile } from '../../profile/switches.ts';
import { findClosestListSettings } from './closest-list.ts';
import { findClosestResponseSettings, toSetting } from './closest-responses.ts';

/**
 * Returns the closest setting of each switch that decides what the learned forms leave open; those without a similar
 * setting are omitted.
 */
export function findClosestProfile(serviceProfile: ServiceProfile): Partial<SandboxProfile> {
  return {
    ...findClosestListSettings(serviceProfile),
    ...findClosestResponseSettings(serviceProfile),
    ...findClosestFactSettings(serviceProfile),
  };
}

const BY_STATUS = ['wrongKey', 'missingScope', 'unknownId', 'badBody', 'conflict'] as const;

/** Returns the settings that single facts and statuses decide, where the learned forms leave something open. */
function findClosestFactSettings({ facts, rejections }: ServiceProfile): Partial<SandboxProfile> {
  const { limit, requestId, removals, upload, download, webhookSecret, event } = facts;
  const sameOrigin = upload?.sameOrigin ?? download?.sameOrigin;
  const statuses = BY_STATUS.map((reason) => {
    const seen =
      rejections[reason] ??
      (reason === 'wrongKey' ? rejections.noKey : reason === 'badBody' ? rejections.badQuery : undefined);
    return toSetting(reason, seen?.status.toString());
  });
  return {
    ...Object.assign({}, ...statuses),
    ...toSetting('naming', facts.naming),
    ...toSetting('ids', facts.ids),
    ...toSetting('dates', facts.times),
    ...toSetting('nulls', facts.nulls),
    ...toSetting('requestId', requestId === null ? 'none' : requestId?.toLowerCase()),
    ...toSetting('rateLimiter', limit?.kind),
    ...toSetting('rateLimitHeaders', limit?.hint),
    ...toSetting('undocumentedDeletes', removals && (removals.length > 0 ? 'all' : 'documented')),
    ...toSetting('encryption', upload?.encryption ?? (upload && 'none')),
    ...toSetting('storageOrigin', sameOrigin === undefined ? undefined : sameOrigin ? 'same' : 'other-port'),
    ...toSetting('webhookSecretField', webhookSecret === null ? 'none' : undefined),
    ...toSetting('signature', event?.signature),
  };
}
