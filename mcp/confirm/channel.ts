import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import type { AnswerOutcome } from './outcome.ts';

/** The question did not reach a person this way; the next channel asks. */
export interface Unreached {
  readonly unreached: Extract<AnswerOutcome, 'not_shown' | 'too_fast'>;
  /** The channel was not tried, because it failed on this connection before. */
  readonly isSkipped?: boolean;
}

/** Asks a person in one way. */
export type ConfirmationChannel = (call: ConfirmableCall) => Promise<ConfirmationResult | Unreached>;
