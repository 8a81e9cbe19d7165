import type { SharedState } from '../state/shared-state.ts';

/** `silent`: no reply in time; `broken`: a malformed reply; `gone`: the call that opened the form has ended. */
export type ElicitationOutcome = 'yes' | 'no' | 'silent' | 'broken' | 'gone';

export const DECLINE_TTL_MS = 10 * 60_000;

/** Declined actions, shared by all servers that share the state. */
export interface DeclineStore {
  /** Seconds since the action was declined; undefined if it was not. */
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
    // A decline counts even if the state is unavailable right now.
    async add(idempotencyKey) {
      await state.writeEventually(`refused ${idempotencyKey}`, { at: now() }, now() + DECLINE_TTL_MS);
    },
  };
}

/** Only an accepted form with the box ticked counts as approval. */
export function parseElicitationOutcome(action: string, content: unknown): ElicitationOutcome {
  const isChecked =
    typeof content === 'object' &&
    content !== null &&
    Object.hasOwn(content, 'confirm') &&
    (content as { confirm?: unknown }).confirm === true;
  return action === 'accept' && isChecked ? 'yes' : 'no';
}
