import { isObject } from '../../../src/records/fields.ts';
import { version } from '../../../src/version.ts';

/** Span of a call. Without OpenTelemetry, only the caller's trace id is known. */
interface CallSpan {
  readonly traceId: string | undefined;
  run<Result>(callback: () => Result): Result;
  /** `error` is undefined on success. */
  end(error?: string): void;
}

export interface Tracing {
  start(call: { tool: string; meta: unknown; traceparent: string | undefined }): CallSpan;
}

const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;
/** Trace context fields of `_meta`, named as in HTTP headers. */
const PROPAGATED_FIELDS = ['traceparent', 'tracestate', 'baggage'] as const;

/** Creates spans through `@opentelemetry/api` if it is installed. The exporter is configured by the operator. */
export async function createTracing(): Promise<Tracing> {
  const api = await import('@opentelemetry/api').catch(() => undefined);
  return {
    start({ tool, meta, traceparent }) {
      const carrier = getCarrier(meta, traceparent);
      const incomingTraceId = TRACEPARENT.exec(carrier['traceparent'] ?? '')?.[1];
      if (!api) return { traceId: incomingTraceId, run: (callback) => callback(), end: () => undefined };
      const { context, propagation, SpanKind, SpanStatusCode, trace } = api;
      const parent = propagation.extract(context.active(), carrier);
      const span = trace
        .getTracer('docshare-mcp', version)
        .startSpan(
          `tools/call ${tool}`,
          {
            kind: SpanKind.SERVER,
            attributes: {
              'mcp.method.name': 'tools/call',
              'gen_ai.tool.name': tool,
              'gen_ai.operation.name': 'execute_tool',
            },
          },
          parent,
        );
      const spanContext = span.spanContext();
      return {
        traceId: trace.isSpanContextValid(spanContext) ? spanContext.traceId : incomingTraceId,
        run: (callback) => context.with(trace.setSpan(parent, span), callback),
        end(error) {
          if (error !== undefined) {
            span.setAttribute('error.type', error);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
  };
}

function getCarrier(meta: unknown, traceparent: string | undefined): Record<string, string> {
  const carrier: Record<string, string> = traceparent === undefined ? {} : { traceparent };
  if (!isObject(meta)) return carrier;
  for (const name of PROPAGATED_FIELDS) {
    const value = meta[name];
    if (typeof value === 'string' && value.length <= 8192) carrier[name] = value;
  }
  return carrier;
}
