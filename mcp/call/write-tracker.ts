import type { RequestOptions } from '../../src/index.ts';
import { mayHaveRun } from '../../src/retry/retry.ts';
import { onAbort } from '../../src/timer.ts';
import { ToolError } from '../tool-error.ts';
import type { ShutdownSignals } from './shutdown-signals.ts';

/** These leave nothing behind at the service that anybody sees: what they begin, a later call registers. */
const PREPARATORY_OPERATIONS: readonly string[] = ['documents.startUpload'];

/**
 * Notes whether a call has asked the service for a change, so that one that is cancelled says what it left. When the server
 * ends, it ends at once where it waits, and else in the time that it has: longer once a change was asked for.
 */
export function trackWrites({
  signal: callerSignal,
  shutdown,
  onWait,
}: Pick<RequestOptions, 'onWait'> & {
  readonly signal: AbortSignal;
  readonly shutdown?: ShutdownSignals | undefined;
}) {
  let startedChanges = 0;
  let registeredChanges = 0;
  let lastRequest = { startedChanges: 0, registeredChanges: 0 };
  let isWaiting = false;
  const controller = new AbortController();
  const { signal } = controller;
  const abortIfWaiting = () =>
    isWaiting && startedChanges === 0 && controller.abort(shutdown?.started.reason);
  const unsubscribers = [
    callOnAbort(callerSignal, () => controller.abort(callerSignal.reason)),
    callOnAbort(shutdown?.started, abortIfWaiting),
    callOnAbort(
      shutdown?.readDeadline,
      () => startedChanges === 0 && controller.abort(shutdown?.readDeadline.reason),
    ),
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
      const isChange = method !== 'GET';
      lastRequest = {
        startedChanges: Number(isChange),
        registeredChanges: Number(isChange && !PREPARATORY_OPERATIONS.includes(operation)),
      };
      startedChanges += lastRequest.startedChanges;
      registeredChanges += lastRequest.registeredChanges;
    },
    onResponse({ status }) {
      if (status < 400 || mayHaveRun(status)) return;
      // What was refused did not happen.
      startedChanges -= lastRequest.startedChanges;
      registeredChanges -= lastRequest.registeredChanges;
    },
  };
  return {
    signal,
    options,
    /** Aborts with the call, and as soon as nobody can answer a form any more. */
    getPromptSignal: () => (shutdown ? AbortSignal.any([signal, shutdown.started]) : signal),
    /** @throws ToolError instead of the bare abort: `cancelled` where nothing was asked for, else `unknown_outcome`. */
    async explainAbort<Result>(action: () => Promise<Result>): Promise<Result> {
      try {
        return await action();
      } catch (error) {
        if (!signal.aborted) throw error;
        const cause = callerSignal.aborted ? 'The call was cancelled' : 'The server was told to end';
        throw registeredChanges > 0
          ? new ToolError(
              'unknown_outcome',
              `${cause} after the service was asked: it may have happened. Look before you repeat it.`,
            )
          : new ToolError(
              'cancelled',
              startedChanges > 0
                ? `${cause} while a file was on its way: parts of it may have been stored, and no record was made.`
                : `${cause} before the service was asked; nothing was done.`,
            );
      }
    },
    /** Lets go of the signals. */
    dispose: () => unsubscribers.forEach((unsubscribe) => void unsubscribe()),
  };
}

function callOnAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal?.aborted) action();
  return signal && !signal.aborted ? onAbort(signal, action) : () => undefined;
}
