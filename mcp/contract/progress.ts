import type { ServerContext } from '@modelcontextprotocol/server';
import type { Wait } from '../../src/index.ts';

/** Tells the host how far a call is; silent where the host did not ask. */
export interface Progress {
  /** `done` of `total`, in bytes or calls; steps that come too fast are left out. */
  step(done: number, total: number | undefined, message: string): void;
  /** Counts down a wait for the service's limit until the call goes on. */
  wait(wait: Wait): void;
  /** Ends any count-down. */
  done(): void;
}

const COUNTDOWN_INTERVAL_MS = 5000;
const MIN_INTERVAL_MS = 200;

/** Progress of one call; its values only ever rise, as the protocol asks. */
export function createProgress(mcp: ServerContext): Progress {
  const progressToken = mcp.mcpReq._meta?.progressToken;
  let last = 0;
  let lastAt = 0;
  let countDown: ReturnType<typeof setInterval> | undefined;

  function tell(progress: number, total: number | undefined, message: string): void {
    if (progressToken === undefined || mcp.mcpReq.signal.aborted) return;
    last = progress;
    lastAt = Date.now();
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
    mcp.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }

  return {
    step(done, total, message) {
      clearInterval(countDown);
      const finished = done === total;
      if (done <= last || (!finished && Date.now() - lastAt < MIN_INTERVAL_MS)) return;
      tell(done, total, message);
    },
    wait({ waitMs }) {
      clearInterval(countDown);
      const until = Date.now() + waitMs;
      const say = () => {
        const seconds = Math.ceil((until - Date.now()) / 1000);
        if (seconds > 0) tell(last + 0.001, undefined, `waiting ${seconds} s for the service's limit`);
        else clearInterval(countDown);
      };
      say();
      countDown = setInterval(say, COUNTDOWN_INTERVAL_MS);
      countDown.unref();
    },
    done() {
      clearInterval(countDown);
    },
  };
}
