import { randomUUID } from 'node:crypto';
import type { OpenState } from '../state/shared-state.ts';
import { type Pause, timedPause } from './pause.ts';
import type { Word } from './word.ts';

/** A form that somebody was asked to fill in. */
export interface OpenForm {
  /** Whether this call opened it, and so has to ask; else another call did, here or at another server. */
  readonly own: boolean;
  /** Its answer; `silent` where its time is over. @throws the signal's reason. */
  answered(signal: AbortSignal): Promise<Word>;
}

/** The forms that are open at all servers, one for each deed: a second call of the same waits for the same answer. */
export interface OpenForms {
  /** Opens a form, or joins the one that is open. It closes itself after `waitMs`. */
  enter(deed: string, waitMs: number): Promise<OpenForm>;
  /** Tells the answer to everybody who waits, and closes the form. */
  settle(deed: string, word: Word): Promise<void>;
}

const POLL_INTERVAL_MS = 250;
/** For so long an answer can be heard by those who wait elsewhere. */
const OUTCOME_TTL_MS = 5000;

export function createOpenForms(options: { state: OpenState; now?: () => number; pause?: Pause }): OpenForms {
  const { now = Date.now, pause = timedPause } = options;
  /** Answers in this process, which need no look at the state. */
  const here = new Map<string, ReturnType<typeof Promise.withResolvers<Word>>>();
  const getStateKey = (deed: string) => `form ${deed}`;

  /** Looks at the state until the form `id` is answered or gone. */
  async function pollOutcome(deed: string, id: unknown, signal: AbortSignal): Promise<Word> {
    const state = await options.state();
    for (;;) {
      const entry = await state.get(getStateKey(deed));
      if (!entry || entry['id'] !== id) return 'silent';
      if (entry['word'] !== undefined) return entry['word'] === 'yes' ? 'yes' : noOr(entry['word']);
      await pause(POLL_INTERVAL_MS, signal);
    }
  }

  function joined(deed: string, id: unknown): OpenForm {
    return {
      own: false,
      async answered(signal) {
        const done = new AbortController();
        const either = AbortSignal.any([signal, done.signal]);
        try {
          const elsewhere = pollOutcome(deed, id, either);
          const settled = here.get(String(id))?.promise;
          return await (settled ? Promise.race([settled, elsewhere]) : elsewhere);
        } finally {
          done.abort();
        }
      },
    };
  }

  return {
    async enter(deed, waitMs) {
      const state = await options.state();
      const id = randomUUID();
      const until = now() + waitMs;
      for (;;) {
        const standing = await state.claim(getStateKey(deed), { id }, until);
        if (standing && standing['word'] === undefined) return joined(deed, standing['id']);
        // One that was answered makes room for a new one.
        if (!standing || (await state.swap(getStateKey(deed), { from: standing, to: { id }, until }))) break;
      }
      here.set(id, Promise.withResolvers<Word>());
      setTimeout(() => here.delete(id), waitMs).unref();
      return { own: true, answered: (signal) => joined(deed, id).answered(signal) };
    },
    async settle(deed, word) {
      const state = await options.state();
      // Where the state is away, the form ends with its time.
      const standing = await state.get(getStateKey(deed)).catch(() => undefined);
      if (!standing || standing['word'] !== undefined) return;
      here.get(String(standing['id']))?.resolve(word);
      here.delete(String(standing['id']));
      const to = { ...standing, word };
      await state
        .swap(getStateKey(deed), { from: standing, to, until: now() + OUTCOME_TTL_MS })
        .catch(() => undefined);
    },
  };
}

function noOr(word: unknown): Word {
  return word === 'silent' || word === 'broken' || word === 'gone' ? word : 'no';
}
