/** Key of a call in a result's `_meta`, from which the card in the chat repeats the call after the decision. */
export const CARD_REQUEST_KEY = 'docshare/card-request';
