import type { StateProvider } from '../state/shared-state.ts';

export const DEFAULT_ACTIONS_PER_HOUR = 20;
const WINDOW_MS = 60 * 60_000;
/** Each failed attempt means that another call has counted its action. */
const MAX_ATTEMPTS = 100;

/** Limits approved actions per sign-in in a sliding hour, to stop a model that loops or follows injected text. */
export function createActionBudget(options: { state: StateProvider; limit: number; now: () => number }) {
  const { limit, now } = options;
  const getStateKey = (owner: string) => `actions ${owner}`;
  const getRecent = (entry: Readonly<Record<string, unknown>> | undefined) =>
    (Array.isArray(entry?.['times']) ? entry['times'] : []).map(Number).filter((time) => time > now() - WINDOW_MS);

  /** Counts an action, unless there are `max` already. */
  async function add(owner: string, max: number): Promise<boolean> {
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
    /** Actions left; may be zero. */
    async getRemaining(owner: string): Promise<number> {
      const entry = await (await options.state()).get(getStateKey(owner));
      return Math.max(0, limit - getRecent(entry).length);
    },
    /** Counts an approved action, also beyond the limit. */
    spend: (owner: string) => add(owner, Number.POSITIVE_INFINITY),
    /** Counts an action unless none is left, also if other calls count theirs at the same time; returns whether it did. */
    trySpend: (owner: string) => add(owner, limit),
  };
}
