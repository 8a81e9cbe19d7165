import { setTimeout } from 'node:timers/promises';

/** @throws the signal's reason when it is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export const abortableSleep: Sleep = (ms, signal) =>
  setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
