import { setTimeout } from 'node:timers/promises';

/** Waits between two looks at what others may have done. @throws the signal's reason, as soon as it is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Node's own timer rejects with an error of its own. */
export const abortableSleep: Sleep = (ms, signal) =>
  setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
