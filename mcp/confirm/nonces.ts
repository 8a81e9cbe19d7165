import { randomBytes } from 'node:crypto';
import type { SharedState } from '../state/shared-state.ts';
import { DECLINE_TTL_MS } from './outcome.ts';
import { TOKEN_TTL_MS } from './token.ts';

/**
 * Counts each yes to a deed among all servers: a question that was asked before one is over by it. The same may be asked
 * on a card and by a form, or twice, and who then says yes to each agreed to one act.
 */
export interface ConfirmationNonces {
  /** What a question that is asked now belongs to. */
  getCurrent(idempotencyKey: string): Promise<string>;
  /** Uses up the round of a question; false where another yes already did. */
  consume(idempotencyKey: string, confirmationNonce: string): Promise<boolean>;
}

export function createConfirmationNonces(
  state: SharedState,
  options: { now?: () => number } = {},
): ConfirmationNonces {
  const { now = Date.now } = options;
  const getStateKey = (idempotencyKey: string) => `agreed ${idempotencyKey}`;
  return {
    getCurrent: async (idempotencyKey) =>
      String((await state.get(getStateKey(idempotencyKey)))?.['confirmationNonce'] ?? ''),
    async consume(idempotencyKey, confirmationNonce) {
      // It outlives every question that was asked before it, so that where none stands, none was overtaken: a page's
      // yes waits for its call as long again as its question stood.
      const until = now() + TOKEN_TTL_MS + DECLINE_TTL_MS;
      const next = { confirmationNonce: randomBytes(6).toString('base64url') };
      const existing = await state.putIfAbsent(getStateKey(idempotencyKey), next, until);
      if (!existing) return true;
      return (
        existing['confirmationNonce'] === confirmationNonce &&
        state.compareAndSwap(getStateKey(idempotencyKey), { from: existing, to: next, until })
      );
    },
  };
}
