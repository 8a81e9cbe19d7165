/** Returns milliseconds of a monotonic clock, so that setting the wall clock changes no wait. */
export function monotonicNow(): number {
  return Math.round(performance.now());
}

/** Maximum delay of a timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Runs `callback` after `ms`; never if infinite or beyond 24 days. Returns a function that cancels it. */
export function runAfter(ms: number, callback: () => void): () => void {
  if (!(ms <= MAX_TIMER_MS)) return noop;
  const timer = setTimeout(callback, Math.max(0, ms));
  return () => clearTimeout(timer);
}

function noop(): void {}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when `signal` aborts; returns a function that cancels it. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  addAbortCallback(signal, callback);
  return () => removeAbortCallback(signal, callback);
}

/**
 * Calls `callback` when `signal` aborts. Shares one listener per signal: Node searches all listeners of a signal to add
 * or remove one, which is slow for thousands of calls.
 */
export function addAbortCallback(signal: AbortSignal, callback: () => void): void {
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
  callbacks.add(callback);
}

export function removeAbortCallback(signal: AbortSignal, callback: () => void): void {
  listeners.get(signal)?.delete(callback);
}

/** Returns a signal that aborts with the first of `signals`. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** Waits, or rejects with the signal's reason when it aborts. */
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

export type AttemptGuard = ReturnType<typeof createAttemptGuard>;

/** Guards one attempt by a timeout and signals, around a request that may ignore its signal. */
export function createAttemptGuard(timeoutMs: number, ...signals: readonly (AbortSignal | undefined)[]) {
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
    /** Settles like the promise, or rejects with the abort reason if that comes first. */
    race: <Result>(promise: Promise<Result>) =>
      new Promise<Result>((resolve, reject) => {
        rejectRace = reject;
        if (controller.signal.aborted) reject(controller.signal.reason);
        // Always attached, so a rejection after the abort is handled.
        promise.then(resolve, reject);
      }),
    /** Replaces the running timeout. */
    restart(ms: number): void {
      cancelTimer();
      cancelTimer = runAfter(ms, onTimeout);
    },
    /** Lets a body outlive the attempt; the caller then ends the request. */
    detach(): AbortController {
      release();
      return controller;
    },
    /** Releases signals and timeout. */
    release,
  };
}

function addAbortListener(signal: AbortSignal, end: (reason: unknown) => void): () => void {
  const stop = () => end(signal.reason);
  if (!signal.aborted) return onAbort(signal, stop);
  stop();
  return noop;
}
