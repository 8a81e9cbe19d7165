/** Where an answer's `_meta` holds what the card needs, and the tool that only the card may call. */
export const ASKED_KEY = 'docshare/asked';
export const DECIDE_TOOL = 'answer_confirmation';
