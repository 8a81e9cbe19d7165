/** OpenTelemetry spans, in a separate entry point (`docshare/opentelemetry`). */
import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { checkOptionNames } from './option-names.ts';
import type { Hooks, RequestEvent } from './request/hooks.ts';
import { version } from './version.ts';

/** Spans of one call, from `onCall` to `onCallEnd`. */
interface CallSpans {
  readonly span: Span;
  readonly spanContext: Context;
  /** Span of the current request; a call sends one at a time. */
  requestSpan?: Span | undefined;
}

/**
 * Creates hooks that record a span for each call, and below it a client span for each request, with the HTTP
 * semantic conventions. Spans contain no key, no signed URL, no body, and only the name of an error.
 * @example
 * const client = createClient({ hooks: createSpanHooks() });
 */
export function createSpanHooks(options: { readonly tracer?: Tracer | undefined } = {}): Hooks {
  checkOptionNames('createSpanHooks', options, { tracer: true });
  const tracer = options.tracer ?? trace.getTracer('docshare', version);
  const calls = new Map<string, CallSpans>();
  return {
    onCall({ callId, operation, target }) {
      const parent = context.active();
      const attributes = { 'docshare.operation': operation, 'docshare.target': target };
      const span = tracer.startSpan(`docshare ${operation}`, { kind: SpanKind.INTERNAL, attributes }, parent);
      calls.set(callId, { span, spanContext: trace.setSpan(parent, span) });
    },
    onWait({ callId, position, waitMs }) {
      calls
        .get(callId)
        ?.span.addEvent('docshare.wait', {
          'docshare.wait.position': position,
          'docshare.wait.ms': Math.round(waitMs),
        });
    },
    onRequest(event) {
      const callSpans = calls.get(event.callId);
      if (!callSpans) return;
      const options = { kind: SpanKind.CLIENT, attributes: getRequestAttributes(event) };
      callSpans.requestSpan = tracer.startSpan(event.method, options, callSpans.spanContext);
    },
    onResponse({ callId, status, requestId }) {
      const requestSpan = calls.get(callId)?.requestSpan;
      requestSpan?.setAttribute('http.response.status_code', status);
      if (requestId !== undefined) requestSpan?.setAttribute('docshare.request_id', requestId);
    },
    onRequestEnd({ callId, outcome, status, error }) {
      const callSpans = calls.get(callId);
      if (!callSpans?.requestSpan) return;
      if (outcome === 'rejected') setErrorStatus(callSpans.requestSpan, String(status));
      else if (outcome === 'failed' || outcome === 'aborted')
        setErrorStatus(callSpans.requestSpan, getErrorName(error));
      callSpans.requestSpan.end();
      callSpans.requestSpan = undefined;
    },
    onRetry({ callId, attempt, waitMs, error }) {
      calls
        .get(callId)
        ?.span.addEvent('docshare.retry', {
          'docshare.retry.attempt': attempt,
          'docshare.wait.ms': Math.round(waitMs),
          'error.type': error.name,
        });
    },
    onCallEnd({ callId, error }) {
      const callSpans = calls.get(callId);
      calls.delete(callId);
      if (error !== undefined) setErrorStatus(callSpans?.span, getErrorName(error));
      callSpans?.span.end();
    },
  };
}

function getRequestAttributes({ method, url, attempt }: RequestEvent): Attributes {
  const { hostname, port, protocol } = new URL(url);
  return {
    'http.request.method': method,
    'url.full': url,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(attempt > 0 ? { 'http.request.resend_count': attempt } : {}),
  };
}

function setErrorStatus(span: Span | undefined, type: string): void {
  span?.setAttribute('error.type', type);
  span?.setStatus({ code: SpanStatusCode.ERROR });
}

function getErrorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
