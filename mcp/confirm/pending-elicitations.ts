import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../src/records/fields.ts';
import { abortableSleep, type Sleep } from '../abortable-sleep.ts';
import type { StateProvider } from '../state/shared-state.ts';
import { ANSWER_OUTCOMES, type AnswerOutcome } from './outcome.ts';

/** An open form. */
export interface PendingElicitation {
  /** True if this call opened the form and has to ask; otherwise another call did, here or on another server. */
  readonly isOwner: boolean;
  /** Returns `timed_out` if the form expires, and `abandoned` if a killed process held it. @throws the signal's reason. */
  waitForOutcome(signal: AbortSignal): Promise<AnswerOutcome>;
}

export type PendingElicitations = ReturnType<typeof createPendingElicitations>;

const POLL_INTERVAL_MS = 250;
/** How long other servers can read the outcome. */
const OUTCOME_TTL_MS = 5000;
/** How long a held form stays open after its process was killed. */
const LEASE_MS = 8000;

/** Open forms of all servers, one per action and sign-in: a second identical call waits for the same reply. */
export function createPendingElicitations(options: { state: StateProvider; now?: () => number; sleep?: Sleep }) {
  const { now = Date.now, sleep = abortableSleep } = options;
  /** Outcomes within this process, without polling the state. */
  const localOutcomes = new Map<string, ReturnType<typeof Promise.withResolvers<AnswerOutcome>>>();
  const getStateKey = (formKey: string) => `form ${formKey}`;

  async function pollOutcome(formKey: string, form: JsonObject, signal: AbortSignal): Promise<AnswerOutcome> {
    const state = await options.state();
    for (;;) {
      const entry = await state.get(getStateKey(formKey));
      if (!entry || entry['id'] !== form['id']) return form['isHeld'] ? 'abandoned' : 'timed_out';
      if (entry['outcome'] !== undefined)
        return ANSWER_OUTCOMES.find((outcome) => outcome === entry['outcome']) ?? 'abandoned';
      await sleep(POLL_INTERVAL_MS, signal);
    }
  }

  async function waitForOutcome(formKey: string, form: JsonObject, signal: AbortSignal): Promise<AnswerOutcome> {
    const localDone = new AbortController();
    try {
      const sharedOutcome = pollOutcome(formKey, form, AbortSignal.any([signal, localDone.signal]));
      const localOutcome = localOutcomes.get(String(form['id']))?.promise;
      return await (localOutcome ? Promise.race([localOutcome, sharedOutcome]) : sharedOutcome);
    } finally {
      localDone.abort();
    }
  }

  return {
    /**
     * Opens a form, or joins the open one. It expires after `waitMs`; if its call keeps it open (`isHeld`), also soon after
     * that call's process was killed.
     */
    async openOrJoin(formKey: string, waitMs: number, isHeld = false): Promise<PendingElicitation> {
      const state = await options.state();
      const [key, id] = [getStateKey(formKey), randomUUID()];
      const form = { id, isHeld };
      const getEnd = () => now() + (isHeld ? LEASE_MS : waitMs);
      const put = (from: JsonObject) => state.compareAndSwap(key, { from, to: form, until: getEnd() });
      for (;;) {
        const existing = await state.putIfAbsent(key, form, getEnd());
        if (existing && existing['outcome'] === undefined)
          return { isOwner: false, waitForOutcome: (signal) => waitForOutcome(formKey, existing, signal) };
        // A resolved form is replaced by a new one.
        if (!existing || (await put(existing))) break;
      }
      localOutcomes.set(id, Promise.withResolvers<AnswerOutcome>());
      const renew = () => (localOutcomes.has(id) ? put(form).catch(() => undefined) : clearInterval(renewal));
      const renewal = isHeld ? setInterval(renew, LEASE_MS / 4).unref() : undefined;
      setTimeout(() => localOutcomes.delete(id), waitMs).unref();
      return { isOwner: true, waitForOutcome: (signal) => waitForOutcome(formKey, form, signal) };
    },
    /** Delivers the outcome to all waiting calls and closes the form. */
    async resolve(formKey: string, outcome: AnswerOutcome): Promise<void> {
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
