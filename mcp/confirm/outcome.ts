import type { SharedState } from '../state/shared-state.ts';

/**
 * What a person said to a form: `silent` where nobody did, `broken` where what came from the host was no message, `gone` where the
 * call that opened the form ended before.
 */
export type ElicitationOutcome = 'yes' | 'no' | 'silent' | 'broken' | 'gone';

/** How long a no stands. */
export const DECLINE_TTL_MS = 10 * 60_000;

/** What was refused, among all servers that share the state. */
export interface DeclineStore {
  /** How many seconds ago the same was refused; undefined where it was not. */
  find(idempotencyKey: string): Promise<number | undefined>;
  add(idempotencyKey: string): Promise<void>;
}

export function createDeclineStore(state: SharedState, options: { now?: () => number } = {}): DeclineStore {
  const { now = Date.now } = options;
  return {
    async find(idempotencyKey) {
      const entry = await state.get(`refused ${idempotencyKey}`);
      return entry && Math.max(0, Math.round((now() - Number(entry['at'])) / 1000));
    },
    // A no is final, also where the state is away just now.
    async add(idempotencyKey) {
      await state.writeEventually(`refused ${idempotencyKey}`, { at: now() }, now() + DECLINE_TTL_MS);
    },
  };
}

/** Only an accepted form with its box ticked is a yes; whatever else came back is a no. */
export function parseElicitationOutcome(action: string, content: unknown): ElicitationOutcome {
  const isChecked =
    typeof content === 'object' &&
    content !== null &&
    Object.hasOwn(content, 'confirm') &&
    (content as { confirm?: unknown }).confirm === true;
  return action === 'accept' && isChecked ? 'yes' : 'no';
}
