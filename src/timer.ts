/**
 * Whole milliseconds of a clock that nobody can set, good within this process only: a wall clock that is put right
 * would shorten or stretch every wait.
 */
export function steadyNow(): number {
  return Math.round(performance.now());
}

/** The longest time that a timer holds; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Runs `act` after `ms`; never where `ms` is infinite or beyond 24 days. Returns what calls it off. */
export function after(ms: number, act: () => void): () => void {
  if (!(ms <= MAX_TIMER_MS)) return nothing;
  const timer = setTimeout(act, Math.max(0, ms));
  return () => clearTimeout(timer);
}

function nothing(): void {}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `act`, a function of its own each time, when `signal` aborts. Returns what calls it off. One listener of a
 * signal serves all: Node searches all of a signal's listeners to add or remove one, which thousands of calls with one
 * signal would feel.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  let acts = listeners.get(signal);
  if (!acts) {
    const all = new Set<() => void>();
    const dispatch = () => {
      for (const one of all) one();
    };
    signal.addEventListener('abort', dispatch, { once: true });
    listeners.set(signal, all);
    acts = all;
  }
  const own = acts;
  own.add(act);
  return () => void own.delete(act);
}

/** Waits; rejects with the signal's own reason as soon as that aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      callOff();
      reject(signal.reason);
    };
    const callOff = after(ms, () => {
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
export interface Lifetime {
  readonly caller: AbortSignal | undefined;
  /** Set once a request may have left. */
  sent: boolean;
  /** All in one, made when first asked for: most calls never wait. */
  signal(): AbortSignal;
  /** Whether there is anything yet that could end it. */
  isBounded(): boolean;
  /** Whether one of them has ended it. */
  isOver(): boolean;
  /** The caller's own abort, which is passed on as it is. */
  abortedByCaller(): boolean;
  /** Milliseconds that the deadline leaves; infinite until it runs. */
  remainingMs(): number;
  /** Starts the deadline, once. */
  begin(deadlineMs: number): void;
  /** Lets go of the caller's signal and the timer. */
  end(): void;
}

/** @param closing aborts with the client: here it ends the waits; a request that is under way ends by its watch. */
export function createLifetime(caller: AbortSignal | undefined, closing?: AbortSignal): Lifetime {
  let control: AbortController | undefined;
  let endsAt = Number.POSITIVE_INFINITY;
  let begun = false;
  let callOff = nothing;
  let forgetCaller = nothing;
  let forgetClosing = nothing;
  const forward = () => control?.abort(caller?.reason);
  const close = () => control?.abort(closing?.reason);
  const arm = () => {
    callOff = after(endsAt - performance.now(), () => control?.abort());
  };
  const open = () => {
    control = new AbortController();
    if (caller?.aborted) forward();
    else if (caller) forgetCaller = onAbort(caller, forward);
    if (closing?.aborted) close();
    else if (closing) forgetClosing = onAbort(closing, close);
    if (begun) arm();
    return control;
  };
  return {
    caller,
    sent: false,
    signal: () => (control ?? open()).signal,
    isBounded: () => begun || caller !== undefined,
    isOver: () => control?.signal.aborted ?? caller?.aborted ?? false,
    abortedByCaller: () => caller?.aborted ?? false,
    remainingMs: () => (begun ? endsAt - performance.now() : endsAt),
    begin(deadlineMs) {
      if (begun) return;
      begun = true;
      endsAt = performance.now() + deadlineMs;
      if (control) arm();
    },
    end() {
      callOff();
      forgetCaller();
      forgetClosing();
    },
  };
}

/** The clocks of one attempt and what ends it, around a request that may not heed its signal. */
export interface Watch {
  readonly signal: AbortSignal;
  /** The promise's own end, or the reason of the abort where that comes first. */
  race<Result>(promise: Promise<Result>): Promise<Result>;
  /** Another clock in place of the one that runs. */
  restart(ms: number): void;
  /** Lets a body outlive the attempt: whoever calls it ends the request himself from then on. */
  hold(): AbortController;
  /** Lets go of the signals and the clock. */
  release(): void;
}

export function startWatch(timeoutMs: number, ...signals: readonly (AbortSignal | undefined)[]): Watch {
  const control = new AbortController();
  let fail: ((reason: unknown) => void) | undefined;
  const end = (reason?: unknown) => {
    control.abort(reason);
    fail?.(control.signal.reason);
  };
  const leave = signals.map((signal) => signal && listen(signal, end));
  const late = () => end();
  let callOff = after(timeoutMs, late);
  const release = () => {
    callOff();
    for (const one of leave) one?.();
  };
  return {
    signal: control.signal,
    race: (promise) =>
      new Promise((resolve, reject) => {
        fail = reject;
        if (control.signal.aborted) reject(control.signal.reason);
        // In any case: nobody else hears a rejection that comes after the abort.
        promise.then(resolve, reject);
      }),
    restart(ms) {
      callOff();
      callOff = after(ms, late);
    },
    hold() {
      release();
      return control;
    },
    release,
  };
}

function listen(signal: AbortSignal, end: (reason: unknown) => void): () => void {
  const stop = () => end(signal.reason);
  if (!signal.aborted) return onAbort(signal, stop);
  stop();
  return nothing;
}
