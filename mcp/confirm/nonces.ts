import { randomBytes } from 'node:crypto';
import type { SharedState } from '../state/shared-state.ts';
import { DECLINE_TTL_MS } from './outcome.ts';
import { TOKEN_TTL_MS } from './token.ts';

/**
 * Makes an approval count once among all servers: it invalidates every other open question about the same action, such
 * as a card and a form for one call.
 */
export function createConfirmationNonces(state: SharedState, { now }: { now: () => number }) {
  const getStateKey = (idempotencyKey: string) => `agreed ${idempotencyKey}`;
  return {
    /** Nonce for a question that is asked now. */
    async getCurrent(idempotencyKey: string): Promise<string> {
      return String((await state.get(getStateKey(idempotencyKey)))?.['confirmationNonce'] ?? '');
    },
    /** Uses a question's nonce; false if another approval already did. */
    async consume(idempotencyKey: string, confirmationNonce: string): Promise<boolean> {
      // Outlives every earlier question: a page's approval waits for its call as long again as the question was open.
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
