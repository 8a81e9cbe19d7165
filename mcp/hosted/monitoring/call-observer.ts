import { performance } from 'node:perf_hooks';
import type { CallObserver } from '../../audit/audit-call.ts';
import type { Log } from '../../audit/log.ts';
import type { Metrics } from './prometheus-metrics.ts';
import { isRequestContext } from './request-context.ts';
import type { Tracing } from './tracing.ts';

/** Logs, measures and traces each tool call, without arguments or results. */
export function createCallObserver(options: { log: Log; metrics: Metrics; tracing: Tracing }): CallObserver {
  const { log, metrics, tracing } = options;
  return (tool, mcp) => {
    const startedAt = performance.now();
    const contextValue = mcp.http?.authInfo?.extra?.['requestContext'];
    const requestContext = isRequestContext(contextValue) ? contextValue : undefined;
    const span = tracing.start({ tool: tool.name, meta: mcp.mcpReq._meta, traceparent: requestContext?.traceparent });
    return {
      run: (callback) => span.run(callback),
      end(outcome) {
        const ms = performance.now() - startedAt;
        const error = outcome === 'ok' ? undefined : outcome;
        log[outcome === 'internal' ? 'error' : 'info']('call', {
          request_id: requestContext?.id,
          trace_id: span.traceId,
          grant: requestContext?.grant,
          tool: tool.name,
          outcome,
          ms: Math.round(ms),
        });
        metrics.observe({ method: 'tools/call', tool: tool.name, error, seconds: ms / 1000 });
        span.end(error);
      },
    };
  };
}
