import type { StateProvider } from '../state/shared-state.ts';

/** Limits approved actions per sign-in in a sliding hour, to stop a model that loops or follows injected text. */
export interface ActionBudget {
  /** Actions left; may be zero. */
  getRemaining(owner: string): Promise<number>;
  /** Counts an approved action. */
  spend(owner: string): Promise<void>;
  readonly limit: number;
}

export const DEFAULT_ACTIONS_PER_HOUR = 20;
const WINDOW_MS = 60 * 60_000;
const MAX_ATTEMPTS = 20;

export function createActionBudget(options: { state: StateProvider; limit: number; now: () => number }): ActionBudget {
  const { limit, now } = options;
  const getStateKey = (owner: string) => `actions ${owner}`;
  const getRecent = (entry: Readonly<Record<string, unknown>> | undefined) =>
    (Array.isArray(entry?.['times']) ? entry['times'] : []).map(Number).filter((time) => time > now() - WINDOW_MS);

  return {
    limit,
    async getRemaining(owner) {
      const entry = await (await options.state()).get(getStateKey(owner));
      return Math.max(0, limit - getRecent(entry).length);
    },
    async spend(owner) {
      const state = await options.state();
      const until = now() + WINDOW_MS;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const existing = await state.putIfAbsent(getStateKey(owner), { times: [now()] }, until);
        if (!existing) return;
        const to = { times: [...getRecent(existing), now()].slice(-limit) };
        if (await state.compareAndSwap(getStateKey(owner), { from: existing, to, until })) return;
      }
    },
  };
}
