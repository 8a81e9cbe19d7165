import { randomUUID } from 'node:crypto';
import { abortableSleep, type Sleep } from '../abortable-sleep.ts';
import type { StateProvider } from '../state/shared-state.ts';
import { ANSWER_OUTCOMES, type AnswerOutcome } from './outcome.ts';

/** An open form. */
export interface PendingElicitation {
  /** True if this call opened the form and has to ask; otherwise another call did, here or on another server. */
  readonly isOwner: boolean;
  /** Returns `timed_out` if the form expires. @throws the signal's reason. */
  waitForOutcome(signal: AbortSignal): Promise<AnswerOutcome>;
}

/** Open forms of all servers, one per action and sign-in: a second identical call waits for the same reply. */
export interface PendingElicitations {
  /** Opens a form, or joins the open one. It expires after `waitMs`. */
  openOrJoin(formKey: string, waitMs: number): Promise<PendingElicitation>;
  /** Delivers the outcome to all waiting calls and closes the form. */
  resolve(formKey: string, outcome: AnswerOutcome): Promise<void>;
}

const POLL_INTERVAL_MS = 250;
/** How long other servers can read the outcome. */
const OUTCOME_TTL_MS = 5000;

export function createPendingElicitations(options: {
  state: StateProvider;
  now?: () => number;
  sleep?: Sleep;
}): PendingElicitations {
  const { now = Date.now, sleep = abortableSleep } = options;
  /** Outcomes within this process, without polling the state. */
  const localOutcomes = new Map<string, ReturnType<typeof Promise.withResolvers<AnswerOutcome>>>();
  const getStateKey = (formKey: string) => `form ${formKey}`;

  async function pollOutcome(formKey: string, id: unknown, signal: AbortSignal): Promise<AnswerOutcome> {
    const state = await options.state();
    for (;;) {
      const entry = await state.get(getStateKey(formKey));
      if (!entry || entry['id'] !== id) return 'timed_out';
      if (entry['outcome'] !== undefined)
        return ANSWER_OUTCOMES.find((outcome) => outcome === entry['outcome']) ?? 'abandoned';
      await sleep(POLL_INTERVAL_MS, signal);
    }
  }

  function joinElicitation(formKey: string, id: unknown): PendingElicitation {
    return {
      isOwner: false,
      async waitForOutcome(signal) {
        const localDone = new AbortController();
        const eitherSignal = AbortSignal.any([signal, localDone.signal]);
        try {
          const sharedOutcome = pollOutcome(formKey, id, eitherSignal);
          const localOutcome = localOutcomes.get(String(id))?.promise;
          return await (localOutcome ? Promise.race([localOutcome, sharedOutcome]) : sharedOutcome);
        } finally {
          localDone.abort();
        }
      },
    };
  }

  return {
    async openOrJoin(formKey, waitMs) {
      const state = await options.state();
      const id = randomUUID();
      const until = now() + waitMs;
      for (;;) {
        const existing = await state.putIfAbsent(getStateKey(formKey), { id }, until);
        if (existing && existing['outcome'] === undefined) return joinElicitation(formKey, existing['id']);
        // A resolved form is replaced by a new one.
        if (!existing || (await state.compareAndSwap(getStateKey(formKey), { from: existing, to: { id }, until })))
          break;
      }
      localOutcomes.set(id, Promise.withResolvers<AnswerOutcome>());
      setTimeout(() => localOutcomes.delete(id), waitMs).unref();
      return { isOwner: true, waitForOutcome: (signal) => joinElicitation(formKey, id).waitForOutcome(signal) };
    },
    async resolve(formKey, outcome) {
      const state = await options.state();
      // If the state is unavailable, the form expires.
      const existing = await state.get(getStateKey(formKey)).catch(() => undefined);
      if (!existing || existing['outcome'] !== undefined) return;
      localOutcomes.get(String(existing['id']))?.resolve(outcome);
      localOutcomes.delete(String(existing['id']));
      const to = { ...existing, outcome };
      await state
        .compareAndSwap(getStateKey(formKey), { from: existing, to, until: now() + OUTCOME_TTL_MS })
        .catch(() => undefined);
    },
  };
}
