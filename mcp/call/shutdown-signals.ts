import { ToolError } from '../tool-error.ts';

export type ShutdownSignals = ReturnType<typeof createShutdownSignals>;

/** Creates the signals of a server's shutdown. All abort with the error of a call that did nothing. */
export function createShutdownSignals() {
  const started = new AbortController();
  const readDeadline = new AbortController();
  const writeDeadline = new AbortController();
  return {
    /** Aborts when the shutdown starts: forms and waits end. */
    started: started.signal,
    /** Aborts when reads must end. */
    readDeadline: readDeadline.signal,
    /** Aborts when writes must end. */
    writeDeadline: writeDeadline.signal,
    start({ readTimeoutMs, writeTimeoutMs }: { readTimeoutMs: number; writeTimeoutMs: number }): void {
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
