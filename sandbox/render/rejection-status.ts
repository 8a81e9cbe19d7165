import type { RejectionReason } from '../base/rejection.ts';
import type { SandboxProfile } from '../profile/switches.ts';

/** Error codes of the rejection reasons. */
export const REJECTION_CODES: Record<RejectionReason, string> = {
  noKey: 'invalid_api_key',
  wrongKey: 'invalid_api_key',
  missingScope: 'insufficient_scope',
  unknownId: 'not_found',
  badBody: 'validation_failed',
  conflict: 'conflict',
  limited: 'rate_limited',
  noRoute: 'route_not_found',
  wrongMethod: 'method_not_allowed',
  tooLarge: 'payload_too_large',
  tooSlow: 'request_timeout',
  wrongType: 'unsupported_media_type',
  noRoom: 'insufficient_storage',
};

export function getRejectionStatus(reason: RejectionReason, profile: SandboxProfile): number {
  switch (reason) {
    case 'noKey':
      return Number(profile.wrongKey);
    case 'wrongKey':
    case 'missingScope':
    case 'unknownId':
    case 'badBody':
    case 'conflict':
      return Number(profile[reason]);
    case 'limited':
      return 429;
    case 'noRoute':
      return 404;
    case 'wrongMethod':
      return 405;
    case 'tooLarge':
      return 413;
    case 'tooSlow':
      return 408;
    case 'noRoom':
      return 507;
    case 'wrongType':
      return profile.badBody === '400' ? 400 : 415;
  }
}
