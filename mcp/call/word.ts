import type { SharedState } from '../state/shared-state.ts';

/**
 * What a person said to a form: `silent` where nobody did, `broken` where what came from the host was no message, `gone` where the
 * call that opened the form ended before.
 */
export type Word = 'yes' | 'no' | 'silent' | 'broken' | 'gone';

/** How long a no stands. */
export const DECLINE_TTL_MS = 10 * 60_000;

/** What was refused, among all servers that share the state. */
export interface Refusals {
  /** How many seconds ago the same was refused; undefined where it was not. */
  find(deed: string): Promise<number | undefined>;
  add(deed: string): Promise<void>;
}

export function createRefusals(state: SharedState, options: { now?: () => number } = {}): Refusals {
  const { now = Date.now } = options;
  return {
    async find(deed) {
      const entry = await state.get(`refused ${deed}`);
      return entry && Math.max(0, Math.round((now() - Number(entry['at'])) / 1000));
    },
    // A no is final, also where the state is away just now.
    async add(deed) {
      await state.note(`refused ${deed}`, { at: now() }, now() + DECLINE_TTL_MS);
    },
  };
}

/** Only an accepted form with its box ticked is a yes; whatever else came back is a no. */
export function parseElicitationOutcome(action: string, content: unknown): Word {
  const ticked =
    typeof content === 'object' &&
    content !== null &&
    Object.hasOwn(content, 'confirm') &&
    (content as { confirm?: unknown }).confirm === true;
  return action === 'accept' && ticked ? 'yes' : 'no';
}
