/** Why the service rejects a request; the profile decides the response. */
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

/** A rejected request. The message is sent to the caller. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly reason: RejectionReason;
  readonly details: readonly FieldError[];

  constructor(reason: RejectionReason, message: string, details: readonly FieldError[] = []) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}
