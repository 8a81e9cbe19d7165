import type { SandboxProfile } from './profile/switches.ts';

/** Why the service refuses a request; the profile decides how each reason is answered. */
export type RejectionReason =
  | 'noKey'
  | 'wrongKey'
  | 'missingScope'
  | 'unknownId'
  | 'badBody'
  | 'conflict'
  | 'limited'
  | 'noRoute'
  | 'wrongMethod'
  | 'tooLarge'
  | 'tooSlow'
  | 'wrongType'
  | 'noRoom';

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A request that the service does not grant. Its message is written for the caller. */
export class Rejection extends Error {
  override readonly name = 'Refusal';
  readonly reason: RejectionReason;
  readonly details: readonly FieldError[];

  constructor(reason: RejectionReason, message: string, details: readonly FieldError[] = []) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}

/** Machine-readable names of the reasons, as the error bodies give them. */
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
