import type { Sleep } from '../../mcp/abortable-sleep.ts';

/** By a timer of this process, so that a test's clock moves it: Node's promise of a timer has a clock of its own. */
export const clockedPause: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
