/** What a card in the chat needs to ask a person, and to pass their answer on. */
import type { JsonObject } from '../../src/records/fields.ts';

/** Where an answer's `_meta` holds it: hosts give `_meta` to views and not to models. */
export const CARD_REQUEST_KEY = 'docshare/asked';
/** The tool that hosts let only views call. */
export const DECISION_TOOL = 'answer_confirmation';

/** Which call a card asks about. Its answer is the same and `go`. */
export interface CardRequest {
  /** Good for one answer to exactly this call, within ten minutes. */
  readonly token: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}
