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
