import { onAbort, runAfter } from '../timer.ts';

/**
 * State of a call that may end early: by the caller's abort, a closed client, or the deadline over all attempts and
 * waits. Without methods, since a waiting call would hold a closure for each.
 */
export interface Cancellation {
  readonly callerSignal: AbortSignal | undefined;
  /** Aborts with the client and ends waits; requests end by their own guard. */
  readonly closingSignal: AbortSignal | undefined;
  /** Set once a request may have been sent. */
  sent: boolean;
  /** Deadline by `performance.now()`; infinite until it starts. */
  endsAt: number;
  deadlineStarted: boolean;
  /** Created on first use: most calls never wait. */
  controller: AbortController | undefined;
  cancelTimer: (() => void) | undefined;
  removeListeners: (() => void)[];
}

const NONE: (() => void)[] = [];

export function createCancellation(callerSignal: AbortSignal | undefined, closingSignal?: AbortSignal): Cancellation {
  const endsAt = Number.POSITIVE_INFINITY;
  return {
    callerSignal,
    closingSignal,
    sent: false,
    endsAt,
    deadlineStarted: false,
    controller: undefined,
    cancelTimer: undefined,
    removeListeners: NONE,
  };
}

/** Returns one signal for all waits of the call. */
export function getSignal(cancellation: Cancellation): AbortSignal {
  if (cancellation.controller) return cancellation.controller.signal;
  const { callerSignal, closingSignal } = cancellation;
  const controller = new AbortController();
  cancellation.controller = controller;
  cancellation.removeListeners = [callerSignal, closingSignal].flatMap((signal) => {
    if (!signal) return [];
    const abort = () => controller.abort(signal.reason);
    if (!signal.aborted) return [onAbort(signal, abort)];
    abort();
    return [];
  });
  if (cancellation.deadlineStarted) startTimer(cancellation, controller);
  return controller.signal;
}

function startTimer(cancellation: Cancellation, controller: AbortController): void {
  cancellation.cancelTimer = runAfter(cancellation.endsAt - performance.now(), () => controller.abort());
}

/** Starts the deadline, unless one has started. */
export function startDeadline(cancellation: Cancellation, deadlineMs: number): void {
  if (cancellation.deadlineStarted) return;
  cancellation.deadlineStarted = true;
  cancellation.endsAt = performance.now() + deadlineMs;
  if (cancellation.controller) startTimer(cancellation, cancellation.controller);
}

export function canBeCancelled({ deadlineStarted, callerSignal }: Cancellation): boolean {
  return deadlineStarted || callerSignal !== undefined;
}

export function isCancelled({ controller, callerSignal }: Cancellation): boolean {
  return controller?.signal.aborted ?? callerSignal?.aborted ?? false;
}

/** Returns true for the caller's own abort, whose reason passes unchanged. */
export function isAbortedByCaller({ callerSignal }: Cancellation): boolean {
  return callerSignal?.aborted ?? false;
}

/** Returns the milliseconds until the deadline; infinite until it starts. */
export function getRemainingMs({ deadlineStarted, endsAt }: Cancellation): number {
  return deadlineStarted ? endsAt - performance.now() : endsAt;
}

export function releaseCancellation({ cancelTimer, removeListeners }: Cancellation): void {
  cancelTimer?.();
  for (const removeListener of removeListeners) removeListener();
}
