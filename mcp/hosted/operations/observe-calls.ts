import { performance } from 'node:perf_hooks';
import type { Log } from '../../record/log.ts';
import type { ObserveCall } from '../../record/record-call.ts';
import type { Metrics } from './metrics.ts';
import { isScene } from './request-scene.ts';
import type { Tracing } from './tracing.ts';

/** One line in the log, one measure and one span for each call of a tool: never its arguments, and nothing of its answer. */
export function createObserver(options: { log: Log; metrics: Metrics; tracing: Tracing }): ObserveCall {
  const { log, metrics, tracing } = options;
  return (tool, mcp) => {
    const startedAt = performance.now();
    const told = mcp.http?.authInfo?.extra?.['scene'];
    const scene = isScene(told) ? told : undefined;
    const span = tracing.start({
      tool: tool.name,
      meta: mcp.mcpReq._meta,
      traceparent: scene?.traceparent,
    });
    return {
      run: (act) => span.run(act),
      end(outcome) {
        const ms = performance.now() - startedAt;
        const failed = outcome === 'answered' ? undefined : outcome;
        log[outcome === 'internal' ? 'error' : 'info']('call', {
          request_id: scene?.id,
          trace_id: span.traceId,
          grant: scene?.grant,
          tool: tool.name,
          outcome,
          ms: Math.round(ms),
        });
        metrics.observe({ method: 'tools/call', tool: tool.name, error: failed, seconds: ms / 1000 });
        span.end(failed);
      },
    };
  };
}
