import type { ServerContext } from '@modelcontextprotocol/server';
import type { Wait } from '../../src/index.ts';

export type ProgressReporter = ReturnType<typeof createProgressReporter>;

const COUNTDOWN_INTERVAL_MS = 5000;
const MIN_INTERVAL_MS = 200;

/** Sends progress notifications of one call if the host asked for them. Values only increase, as the protocol requires. */
export function createProgressReporter(mcp: ServerContext) {
  const progressToken = mcp.mcpReq._meta?.progressToken;
  let lastProgress = 0;
  let lastAt = 0;
  let countdown: ReturnType<typeof setInterval> | undefined;

  function notify(progress: number, total: number | undefined, message: string): void {
    if (progressToken === undefined || mcp.mcpReq.signal.aborted) return;
    lastProgress = progress;
    lastAt = Date.now();
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
    mcp.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }

  return {
    /** `done` of `total`, in bytes or calls. Throttled. */
    step(done: number, total: number | undefined, message: string): void {
      clearInterval(countdown);
      const finished = done === total;
      if (done <= lastProgress || (!finished && Date.now() - lastAt < MIN_INTERVAL_MS)) return;
      notify(done, total, message);
    },
    /** Counts down a wait for the rate limit. */
    wait({ waitMs }: Wait): void {
      clearInterval(countdown);
      const deadline = Date.now() + waitMs;
      const tick = () => {
        const seconds = Math.ceil((deadline - Date.now()) / 1000);
        if (seconds > 0) notify(lastProgress + 0.001, undefined, `waiting ${seconds} s for the rate limit`);
        else clearInterval(countdown);
      };
      tick();
      countdown = setInterval(tick, COUNTDOWN_INTERVAL_MS);
      countdown.unref();
    },
    /** Stops any countdown. */
    done(): void {
      clearInterval(countdown);
    },
  };
}
