import type { RejectionReason } from '../base/rejection.ts';
import type { SandboxProfile } from '../profile/switches.ts';

type GetStatus = (profile: SandboxProfile) => number;

/** Error code and status of each rejection reason. The profile decides some of the statuses. */
const REJECTIONS: Readonly<Record<RejectionReason, { readonly code: string; readonly status: number | GetStatus }>> = {
  noKey: { code: 'invalid_api_key', status: ({ wrongKey }) => Number(wrongKey) },
  wrongKey: { code: 'invalid_api_key', status: ({ wrongKey }) => Number(wrongKey) },
  missingScope: { code: 'insufficient_scope', status: ({ missingScope }) => Number(missingScope) },
  unknownId: { code: 'not_found', status: ({ unknownId }) => Number(unknownId) },
  badBody: { code: 'validation_failed', status: ({ badBody }) => Number(badBody) },
  conflict: { code: 'conflict', status: ({ conflict }) => Number(conflict) },
  limited: { code: 'rate_limited', status: 429 },
  noRoute: { code: 'route_not_found', status: 404 },
  wrongMethod: { code: 'method_not_allowed', status: 405 },
  tooLarge: { code: 'payload_too_large', status: 413 },
  tooSlow: { code: 'request_timeout', status: 408 },
  wrongType: { code: 'unsupported_media_type', status: ({ badBody }) => (badBody === '400' ? 400 : 415) },
  noRoom: { code: 'insufficient_storage', status: 507 },
};

export function getRejectionCode(reason: RejectionReason): string {
  return REJECTIONS[reason].code;
}

export function getRejectionStatus(reason: RejectionReason, profile: SandboxProfile): number {
  const { status } = REJECTIONS[reason];
  return typeof status === 'number' ? status : status(profile);
}
