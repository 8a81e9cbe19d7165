import type { StateProvider } from '../state/shared-state.ts';

/** Limits approved actions per sign-in in a sliding hour, to stop a model that loops or follows injected text. */
export interface ActionBudget {
  /** Actions left; may be zero. */
  getRemaining(owner: string): Promise<number>;
  /** Counts an approved action. */
  spend(owner: string): Promise<void>;
  /** Counts an action unless none is left, also if other calls count theirs at the same time; returns whether it did. */
  trySpend(owner: string): Promise<boolean>;
  readonly limit: number;
}

export const DEFAULT_ACTIONS_PER_HOUR = 20;
const WINDOW_MS = 60 * 60_000;
/** Each failed attempt means that another call has counted its action. */
const MAX_ATTEMPTS = 100;

export function createActionBudget(options: { state: StateProvider; limit: number; now: () => number }): ActionBudget {
  const { limit, now } = options;
  const getStateKey = (owner: string) => `actions ${owner}`;
  const getRecent = (entry: Readonly<Record<string, unknown>> | undefined) =>
    (Array.isArray(entry?.['times']) ? entry['times'] : []).map(Number).filter((time) => time > now() - WINDOW_MS);

  /** Adds an action, unless there are `max` already. */
  async function add(owner: string, { max = Number.POSITIVE_INFINITY } = {}): Promise<boolean> {
    const state = await options.state();
    const [key, until] = [getStateKey(owner), now() + WINDOW_MS];
    if (max < 1) return false;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const existing = await state.putIfAbsent(key, { times: [now()] }, until);
      if (!existing) return true;
      const recent = getRecent(existing);
      if (recent.length >= max) return false;
      const to = { times: [...recent, now()].slice(-limit) };
      if (await state.compareAndSwap(key, { from: existing, to, until })) return true;
    }
    return false;
  }

  return {
    limit,
    async getRemaining(owner) {
      const entry = await (await options.state()).get(getStateKey(owner));
      return Math.max(0, limit - getRecent(entry).length);
    },
    async spend(owner) {
      await add(owner);
    },
    trySpend: (owner) => add(owner, { max: limit }),
  };
}
