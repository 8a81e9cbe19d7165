import type { ZObject } from 'zapier-platform-core';
import { operations, TimeoutError } from './client-core.ts';

/** The platform ends a run after 30 s, in words of its own: all that a step does has ended before. */
export const RUN_TIMEOUT_MS = 23_500;
/** Until what the end of a run's time has stopped has said what became of it. */
const GRACE_PERIOD_MS = 1_000;

/** One run of a step: what every request, file and wait of it share. */
export interface StepRun {
  /** Aborts with a TimeoutError when the run's time is over. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Told of each request that carries the key, as it leaves and as its answer comes. */
  recordRequest(request: { method: string; url: string; status?: number }): void;
  /** What became of the step's writes: `pendingWrites` where one was sent and not answered. */
  getWriteStatus(): 'nothing' | 'done' | 'open';
}

const runs = new WeakMap<ZObject, StepRun>();

/** The run that a `z` belongs to: the platform makes one for each. */
export function getStepRun(z: ZObject): StepRun {
  const existing = runs.get(z);
  if (existing) return existing;
  const run = createStepRun();
  runs.set(z, run);
  return run;
}

function createStepRun(): StepRun {
  const endsAt = performance.now() + RUN_TIMEOUT_MS;
  const controller = new AbortController();
  setTimeout(() => controller.abort(new TimeoutError("The step's time is over.")), RUN_TIMEOUT_MS).unref();
  let pendingWrites = 0;
  let completedWrites = 0;
  return {
    signal: controller.signal,
    remainingMs: () => endsAt - performance.now(),
    recordRequest({ method, url, status }) {
      if (!isWrite(method, url)) return;
      if (status === undefined) pendingWrites += 1;
      else {
        pendingWrites -= 1;
        if (status >= 200 && status < 300) completedWrites += 1;
      }
    },
    getWriteStatus: () => (pendingWrites > 0 ? 'open' : completedWrites > 0 ? 'done' : 'nothing'),
  };
}

/** What is left behind where anybody sees it: the start of an upload is not. */
function isWrite(method: string, url: string): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { pathname } = new URL(url);
  return !operations.some(
    ({ operation: { route, repeatable } }) => repeatable && pathname.endsWith(route.replace(/^\S+ /, '')),
  );
}

/**
 * A step's work, or what is known of it when its time is over: the platform's own cache and file store heed no signal,
 * and a run that they hold up ends all the same.
 */
export async function withRunTimeout<Result>(run: StepRun, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(run.signal.reason), run.remainingMs() + GRACE_PERIOD_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
