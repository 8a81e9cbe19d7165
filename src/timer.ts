/** The longest time that a timer holds; a longer one would fire at once. */
const LONGEST_MS = 2_147_483_647;

/** Runs `act` after `ms`; never where `ms` is infinite or beyond 24 days. Returns what calls it off. */
export function after(ms: number, act: () => void): () => void {
  if (!(ms <= LONGEST_MS)) return () => undefined;
  const timer = setTimeout(act, Math.max(0, ms));
  return () => clearTimeout(timer);
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

/** The promise's own end, or the signal's reason where that comes first: not every transport heeds a signal. */
export function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const settle = () => signal.removeEventListener('abort', stop);
    promise.then(
      (result) => {
        settle();
        resolve(result);
      },
      (error) => {
        settle();
        reject(error);
      },
    );
  });
}

/** One signal for all that can end a call early: the caller's abort and the deadline over all attempts. */
export interface Lifetime {
  readonly signal: AbortSignal;
  /** The caller's own abort, which is passed on as it is. */
  readonly abortedByCaller: boolean;
  /** Milliseconds that the deadline leaves; infinite until it runs. */
  remainingMs(): number;
  /** Starts the deadline, once. */
  begin(deadlineMs: number): void;
  /** Lets go of the caller's signal and the timer. */
  end(): void;
}

export function createLifetime(caller: AbortSignal | undefined): Lifetime {
  const control = new AbortController();
  const forward = () => control.abort(caller?.reason);
  if (caller?.aborted) forward();
  caller?.addEventListener('abort', forward, { once: true });
  let endsAt = Number.POSITIVE_INFINITY;
  let callOff: (() => void) | undefined;
  return {
    signal: control.signal,
    get abortedByCaller() {
      return caller?.aborted ?? false;
    },
    remainingMs: () => endsAt - Date.now(),
    begin(deadlineMs) {
      if (callOff) return;
      endsAt = Date.now() + deadlineMs;
      callOff = after(deadlineMs, () => control.abort());
    },
    end() {
      callOff?.();
      caller?.removeEventListener('abort', forward);
    },
  };
}
