import type { Sleep } from '../../mcp/abortable-sleep.ts';

/** Sleeps on the global `setTimeout`, so that fake timers control it. They do not control `node:timers/promises`. */
export const fakeTimerSleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
