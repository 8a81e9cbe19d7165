import { randomBytes } from 'node:crypto';
import type { SharedState } from '../state/shared-state.ts';
import { TOKEN_TTL_MS } from './confirm-token.ts';
import { DECLINE_TTL_MS } from './word.ts';

/**
 * Counts each yes to a deed among all servers: a question that was asked before one is over by it. The same may be asked
 * on a card and by a form, or twice, and who then says yes to each agreed to one act.
 */
export interface Rounds {
  /** What a question that is asked now belongs to. */
  current(deed: string): Promise<string>;
  /** Uses up the round of a question; false where another yes already did. */
  take(deed: string, round: string): Promise<boolean>;
}

export function createRounds(state: SharedState, options: { now?: () => number } = {}): Rounds {
  const { now = Date.now } = options;
  const getStateKey = (deed: string) => `agreed ${deed}`;
  return {
    current: async (deed) => String((await state.get(getStateKey(deed)))?.['round'] ?? ''),
    async take(deed, round) {
      // It outlives every question that was asked before it, so that where none stands, none was overtaken: a page's
      // yes waits for its call as long again as its question stood.
      const until = now() + TOKEN_TTL_MS + DECLINE_TTL_MS;
      const to = { round: randomBytes(6).toString('base64url') };
      const standing = await state.claim(getStateKey(deed), to, until);
      if (!standing) return true;
      return standing['round'] === round && state.swap(getStateKey(deed), { from: standing, to, until });
    },
  };
}
