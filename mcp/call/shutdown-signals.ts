import { ToolError } from '../tool-error.ts';

/** Signals of a server's shutdown. All abort with the error of a call that did nothing. */
export interface ShutdownSignals {
  /** Aborts when the shutdown starts: forms and waits end. */
  readonly started: AbortSignal;
  /** Aborts when reads must end. */
  readonly readDeadline: AbortSignal;
  /** Aborts when writes must end. */
  readonly writeDeadline: AbortSignal;
  start(timeouts: { readonly readTimeoutMs: number; readonly writeTimeoutMs: number }): void;
}

export function createShutdownSignals(): ShutdownSignals {
  const started = new AbortController();
  const readDeadline = new AbortController();
  const writeDeadline = new AbortController();
  return {
    started: started.signal,
    readDeadline: readDeadline.signal,
    writeDeadline: writeDeadline.signal,
    start({ readTimeoutMs, writeTimeoutMs }) {
      const reason = new ToolError(
        'cancelled',
        'The server is shutting down, so the call was cancelled. Nothing was done.',
      );
      started.abort(reason);
      if (readTimeoutMs === 0) readDeadline.abort(reason);
      else setTimeout(() => readDeadline.abort(reason), readTimeoutMs).unref();
      setTimeout(() => writeDeadline.abort(reason), writeTimeoutMs).unref();
    },
  };
}
