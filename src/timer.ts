/**
 * Whole milliseconds of a clock that nobody can set, good within this process only: a wall clock that is put right
 * would shorten or stretch every wait.
 */
export function monotonicNow(): number {
  return Math.round(performance.now());
}

/** The longest time that a timer holds; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Runs `callback` after `ms`; never where `ms` is infinite or beyond 24 days. Returns what calls it off. */
export function runAfter(ms: number, callback: () => void): () => void {
  if (!(ms <= MAX_TIMER_MS)) return noop;
  const timer = setTimeout(callback, Math.max(0, ms));
  return () => clearTimeout(timer);
}

function noop(): void {}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback`, a function of its own each time, when `signal` aborts. Returns what calls it off. One listener of a
 * signal serves all: Node searches all of a signal's listeners to add or remove one, which thousands of calls with one
 * signal would feel.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = listeners.get(signal);
  if (!callbacks) {
    const registered = new Set<() => void>();
    const dispatch = () => {
      for (const one of registered) one();
    };
    signal.addEventListener('abort', dispatch, { once: true });
    listeners.set(signal, registered);
    callbacks = registered;
  }
  const signalCallbacks = callbacks;
  signalCallbacks.add(callback);
  return () => void signalCallbacks.delete(callback);
}

/** Waits; rejects with the signal's own reason as soon as that aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      cancelTimer();
      reject(signal.reason);
    };
    const cancelTimer = runAfter(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

/**
 * What can end an exchange early: the caller's abort, the end of the client, and the deadline over all attempts and
 * waits. Methods rather than getters: an object of getters costs microseconds for each call.
 */
export interface Cancellation {
  readonly callerSignal: AbortSignal | undefined;
  /** Set once a request may have left. */
  sent: boolean;
  /** All in one, made when first asked for: most calls never wait. */
  signal(): AbortSignal;
  /** Whether there is anything yet that could end it. */
  canBeCancelled(): boolean;
  /** Whether one of them has ended it. */
  isCancelled(): boolean;
  /** The caller's own abort, which is passed on as it is. */
  isAbortedByCaller(): boolean;
  /** Milliseconds that the deadline leaves; infinite until it runs. */
  remainingMs(): number;
  /** Starts the deadline, once. */
  startDeadline(deadlineMs: number): void;
  /** Lets go of the caller's signal and the timer. */
  dispose(): void;
}

/** @param closing aborts with the client: here it ends the waits; a request that is under way ends by its watch. */
export function createCancellation(
  callerSignal: AbortSignal | undefined,
  closingSignal?: AbortSignal,
): Cancellation {
  let controller: AbortController | undefined;
  let endsAt = Number.POSITIVE_INFINITY;
  let deadlineStarted = false;
  let cancelTimer = noop;
  let removeCallerListener = noop;
  let removeClosingListener = noop;
  const abortFromCaller = () => controller?.abort(callerSignal?.reason);
  const abortFromClosing = () => controller?.abort(closingSignal?.reason);
  const startTimer = () => {
    cancelTimer = runAfter(endsAt - performance.now(), () => controller?.abort());
  };
  const createController = () => {
    controller = new AbortController();
    if (callerSignal?.aborted) abortFromCaller();
    else if (callerSignal) removeCallerListener = onAbort(callerSignal, abortFromCaller);
    if (closingSignal?.aborted) abortFromClosing();
    else if (closingSignal) removeClosingListener = onAbort(closingSignal, abortFromClosing);
    if (deadlineStarted) startTimer();
    return controller;
  };
  return {
    callerSignal,
    sent: false,
    signal: () => (controller ?? createController()).signal,
    canBeCancelled: () => deadlineStarted || callerSignal !== undefined,
    isCancelled: () => controller?.signal.aborted ?? callerSignal?.aborted ?? false,
    isAbortedByCaller: () => callerSignal?.aborted ?? false,
    remainingMs: () => (deadlineStarted ? endsAt - performance.now() : endsAt),
    startDeadline(deadlineMs) {
      if (deadlineStarted) return;
      deadlineStarted = true;
      endsAt = performance.now() + deadlineMs;
      if (controller) startTimer();
    },
    dispose() {
      cancelTimer();
      removeCallerListener();
      removeClosingListener();
    },
  };
}

/** The clocks of one attempt and what ends it, around a request that may not heed its signal. */
export interface AttemptGuard {
  readonly signal: AbortSignal;
  /** The promise's own end, or the reason of the abort where that comes first. */
  race<Result>(promise: Promise<Result>): Promise<Result>;
  /** Another clock in place of the one that runs. */
  restart(ms: number): void;
  /** Lets a body outlive the attempt: whoever calls it ends the request himself from then on. */
  detach(): AbortController;
  /** Lets go of the signals and the clock. */
  release(): void;
}

export function createAttemptGuard(
  timeoutMs: number,
  ...signals: readonly (AbortSignal | undefined)[]
): AttemptGuard {
  const controller = new AbortController();
  let rejectRace: ((reason: unknown) => void) | undefined;
  const abort = (reason?: unknown) => {
    controller.abort(reason);
    rejectRace?.(controller.signal.reason);
  };
  const removeListeners = signals.map((signal) => signal && addAbortListener(signal, abort));
  const onTimeout = () => abort();
  let cancelTimer = runAfter(timeoutMs, onTimeout);
  const release = () => {
    cancelTimer();
    for (const removeListener of removeListeners) removeListener?.();
  };
  return {
    signal: controller.signal,
    race: (promise) =>
      new Promise((resolve, reject) => {
        rejectRace = reject;
        if (controller.signal.aborted) reject(controller.signal.reason);
        // In any case: nobody else hears a rejection that comes after the abort.
        promise.then(resolve, reject);
      }),
    restart(ms) {
      cancelTimer();
      cancelTimer = runAfter(ms, onTimeout);
    },
    detach() {
      release();
      return controller;
    },
    release,
  };
}

function addAbortListener(signal: AbortSignal, end: (reason: unknown) => void): () => void {
  const stop = () => end(signal.reason);
  if (!signal.aborted) return onAbort(signal, stop);
  stop();
  return noop;
}
