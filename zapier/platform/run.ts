import type { ZObject } from 'zapier-platform-core';
import { operations, TimeoutError } from './core.ts';

/** The platform ends a run after 30 s, in words of its own: all that a step does has ended before. */
export const RUN_TIMEOUT_MS = 23_500;
/** Until what the end of a run's time has stopped has said what became of it. */
const GRACE_PERIOD_MS = 1_000;

/** One run of a step: what every request, file and wait of it share. */
export interface Run {
  /** Aborts with a TimeoutError when the run's time is over. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Told of each request that carries the key, as it leaves and as its answer comes. */
  tell(request: { method: string; url: string; status?: number }): void;
  /** What became of the step's writes: `open` where one was sent and not answered. */
  wrote(): 'nothing' | 'done' | 'open';
}

const runs = new WeakMap<ZObject, Run>();

/** The run that a `z` belongs to: the platform makes one for each. */
export function getStepRun(z: ZObject): Run {
  const known = runs.get(z);
  if (known) return known;
  const run = createRun();
  runs.set(z, run);
  return run;
}

function createRun(): Run {
  const endsAt = performance.now() + RUN_TIMEOUT_MS;
  const control = new AbortController();
  setTimeout(() => control.abort(new TimeoutError("The step's time is over.")), RUN_TIMEOUT_MS).unref();
  let open = 0;
  let done = 0;
  return {
    signal: control.signal,
    remainingMs: () => endsAt - performance.now(),
    tell({ method, url, status }) {
      if (!isWrite(method, url)) return;
      if (status === undefined) open += 1;
      else {
        open -= 1;
        if (status >= 200 && status < 300) done += 1;
      }
    },
    wrote: () => (open > 0 ? 'open' : done > 0 ? 'done' : 'nothing'),
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
export async function withinRun<Result>(run: Run, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(run.signal.reason), run.remainingMs() + GRACE_PERIOD_MS);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
