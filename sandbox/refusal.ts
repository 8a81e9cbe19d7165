import type { Profile } from './profile/switches.ts';

/** Why the service refuses a request; the profile decides how each reason is answered. */
export type Reason =
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

export interface Detail {
  readonly field: string;
  readonly message: string;
}

/** A request that the service does not grant. Its message is written for the caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: Reason;
  readonly details: readonly Detail[];

  constructor(reason: Reason, message: string, details: readonly Detail[] = []) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}

/** Machine-readable names of the reasons, as the error bodies give them. */
export const CODES: Record<Reason, string> = {
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

export function getRejectionStatus(reason: Reason, profile: Profile): number {
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
