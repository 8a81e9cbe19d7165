import type { RequestOptions } from '../../src/index.ts';
import { mayHaveRun } from '../../src/retry/retry.ts';
import { onAbort } from '../../src/timer.ts';
import { ToolError } from '../tool-error.ts';
import type { ShutdownSignals } from './shutdown-signals.ts';

/** Writes without visible effect: a later call registers what they began. */
const PREPARATORY_OPERATIONS: readonly string[] = ['documents.startUpload'];

/**
 * Tracks whether a call has sent a write, so that a cancelled call can say what may have happened. During shutdown a
 * waiting call ends at once, and others at the read or write deadline.
 */
export function trackWrites({
  signal: callerSignal,
  shutdown,
  onWait,
}: Pick<RequestOptions, 'onWait'> & { readonly signal: AbortSignal; readonly shutdown?: ShutdownSignals | undefined }) {
  /** Operations of writes that were sent and not rejected. */
  const changes: string[] = [];
  let lastChange: string | undefined;
  let isWaiting = false;
  const controller = new AbortController();
  const { signal } = controller;
  const abortIfWaiting = () => isWaiting && changes.length === 0 && controller.abort(shutdown?.started.reason);
  const unsubscribers = [
    callOnAbort(callerSignal, () => controller.abort(callerSignal.reason)),
    callOnAbort(shutdown?.started, abortIfWaiting),
    callOnAbort(shutdown?.readDeadline, () => changes.length === 0 && controller.abort(shutdown?.readDeadline.reason)),
    callOnAbort(shutdown?.writeDeadline, () => controller.abort(shutdown?.writeDeadline.reason)),
  ];
  const options: RequestOptions = {
    signal,
    onWait(wait) {
      isWaiting = true;
      onWait?.(wait);
      if (shutdown?.started.aborted) abortIfWaiting();
    },
    onRequest({ operation, method }) {
      isWaiting = false;
      lastChange = method === 'GET' ? undefined : operation;
      if (lastChange !== undefined) changes.push(lastChange);
    },
    onResponse({ status }) {
      if (status < 400 || mayHaveRun(status)) return;
      // A rejected write did not happen.
      if (lastChange !== undefined) changes.splice(changes.lastIndexOf(lastChange), 1);
      lastChange = undefined;
    },
  };
  return {
    signal,
    options,
    /** Aborts with the call, or when the shutdown starts. */
    getPromptSignal: () => (shutdown ? AbortSignal.any([signal, shutdown.started]) : signal),
    /** @throws ToolError instead of an abort: `cancelled` if no write was sent, otherwise `unknown_outcome`. */
    async explainAbort<Result>(action: () => Promise<Result>): Promise<Result> {
      try {
        return await action();
      } catch (error) {
        if (!signal.aborted) throw error;
        const cause = callerSignal.aborted ? 'The call was cancelled' : 'The server shut down';
        throw changes.some((operation) => !PREPARATORY_OPERATIONS.includes(operation))
          ? new ToolError(
              'unknown_outcome',
              `${cause} after the request was sent, so its outcome is unknown. Check the current state before retrying.`,
            )
          : new ToolError(
              'cancelled',
              changes.length > 0
                ? `${cause} during an upload: parts of the file may have been stored, but no document was created.`
                : `${cause}. Nothing was done.`,
            );
      }
    },
    dispose: () => unsubscribers.forEach((unsubscribe) => void unsubscribe()),
  };
}

function callOnAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal?.aborted) action();
  return signal && !signal.aborted ? onAbort(signal, action) : () => undefined;
}
