import type { JsonObject } from '../../src/records/fields.ts';

/** Key of the request in a result's `_meta`, which hosts give to views and not to models. */
export const CARD_REQUEST_KEY = 'docshare/card-request';
/** Tool that hosts let only views call. */
export const DECISION_TOOL = 'answer_confirmation';

/** The call that a card asks about. The view sends it back with `approved`. */
export interface CardRequest {
  /** Valid for one decision on exactly this call, for ten minutes. */
  readonly token: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}
