import type { Word } from './word.ts';

/** A form that somebody was asked to fill in. */
export interface OpenForm {
  /** Settles when it is answered, or when its time is over. */
  readonly answered: Promise<Word>;
  /** Gives its answer to everybody who waits, and closes it. */
  settle(word: Word): void;
}

/** The forms that are open in this process, one for each deed: a second call of the same waits for the same answer. */
export function createOpenForms() {
  const forms = new Map<string, OpenForm>();
  return {
    find: (deed: string): OpenForm | undefined => forms.get(deed),
    /** Opens a form. With `waitMs` it closes itself when nobody answers in time; else whoever opened it does. */
    open(deed: string, waitMs?: number): OpenForm {
      const { promise: answered, resolve } = Promise.withResolvers<Word>();
      const form: OpenForm = {
        answered,
        settle(word) {
          clearTimeout(timer);
          if (forms.get(deed) === form) forms.delete(deed);
          resolve(word);
        },
      };
      const timer = waitMs === undefined ? undefined : setTimeout(() => form.settle('silent'), waitMs);
      timer?.unref();
      forms.set(deed, form);
      return form;
    },
  };
}
