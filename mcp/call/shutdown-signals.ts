import { ToolError } from '../tool-error.ts';

/** What the calls of a server are told of its end; all three abort with the error of a call that did nothing. */
export interface ShutdownSignals {
  /** Aborts as soon as it begins: nobody can answer a form any more, and a wait would come to nothing. */
  readonly started: AbortSignal;
  /** Aborts when the time of what changes nothing is over. */
  readonly readDeadline: AbortSignal;
  /** Aborts when the time of what may have changed something is over too. */
  readonly writeDeadline: AbortSignal;
  start(timeouts: { readonly readTimeoutMs: number; readonly writeTimeoutMs: number }): void;
}

export function createShutdownSignals(): ShutdownSignals {
  const [started, readDeadline, writeDeadline] = [
    new AbortController(),
    new AbortController(),
    new AbortController(),
  ];
  return {
    started: started.signal,
    readDeadline: readDeadline.signal,
    writeDeadline: writeDeadline.signal,
    start({ readTimeoutMs, writeTimeoutMs }) {
      const reason = new ToolError(
        'cancelled',
        'The server was told to end, so the call was given up; nothing was done.',
      );
      started.abort(reason);
      if (readTimeoutMs === 0) readDeadline.abort(reason);
      else setTimeout(() => readDeadline.abort(reason), readTimeoutMs).unref();
      setTimeout(() => writeDeadline.abort(reason), writeTimeoutMs).unref();
    },
  };
}
