/** How a write was approved; `not_needed` if it needed no approval. */
export type Approval = 'form' | 'page' | 'token' | 'callback' | 'not_needed';
