import type { ZObject } from 'zapier-platform-core';
import { operations, TimeoutError } from './client-core.ts';

/** Ends before Zapier's limit of 30 seconds, so the user reads this app's message. */
const RUN_TIMEOUT_MS = 23_500;
/** Time for the last page of a list and what follows it. */
const AFTER_READING_MS = 5_000;
/** Time for aborted work to report its outcome. */
const GRACE_PERIOD_MS = 1_000;

export type StepRun = ReturnType<typeof createStepRun>;

const runs = new WeakMap<ZObject, StepRun>();

/** Returns the run of a `z`; Zapier creates one `z` per run. */
export function getStepRun(z: ZObject): StepRun {
  const existing = runs.get(z);
  if (existing) return existing;
  const run = createStepRun();
  runs.set(z, run);
  return run;
}

function createStepRun() {
  const endsAt = performance.now() + RUN_TIMEOUT_MS;
  const controller = new AbortController();
  setTimeout(() => controller.abort(new TimeoutError("The step's time is up.")), RUN_TIMEOUT_MS).unref();
  let pendingWrites = 0;
  let completedWrites = 0;
  let lostWrites = 0;
  let sentRequests = 0;
  return {
    /** Aborts with a TimeoutError at the end of the run's time. */
    signal: controller.signal,
    remainingMs: () => endsAt - performance.now(),
    /** Time in which further pages of a list may be requested. */
    remainingReadMs: () => endsAt - AFTER_READING_MS - performance.now(),
    /** Call it for each request with the API key: when it is sent, and again with the status. */
    recordRequest({ method, url, status }: { method: string; url: string; status?: number }): void {
      if (status === undefined) sentRequests += 1;
      if (!isWrite(method, url)) return;
      if (status === undefined) pendingWrites += 1;
      else {
        pendingWrites -= 1;
        if (status >= 200 && status < 300) completedWrites += 1;
        else if (status === 0 || status >= 500) lostWrites += 1;
      }
    },
    getSentRequests: () => sentRequests,
    /** True if a write was completed, or its outcome is unknown. */
    mayHaveWritten: () => pendingWrites + completedWrites + lostWrites > 0,
    /** `pending`: a write was sent and not answered. */
    getWriteStatus: (): 'nothing' | 'done' | 'pending' =>
      pendingWrites > 0 ? 'pending' : completedWrites > 0 ? 'done' : 'nothing',
  };
}

/** True for requests with a visible effect; starting an upload has none. */
function isWrite(method: string, url: string): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { pathname } = new URL(url);
  return !operations.some(
    ({ operation: { route, repeatable } }) => repeatable && pathname.endsWith(route.replace(/^\S+ /, '')),
  );
}

/** Ends the work with the run's time, since Zapier's cache and file store ignore the abort signal. */
export async function withRunTimeout<Result>(run: StepRun, work: Promise<Result>): Promise<Result> {
  return withTimeout(work, run.remainingMs() + GRACE_PERIOD_MS, () => run.signal.reason);
}

/** Settles like the work, or rejects after `ms`. */
export async function withTimeout<Result>(
  work: Promise<Result>,
  ms: number,
  createError: () => unknown,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createError()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
