import { createHash, randomUUID } from 'node:crypto';

/** What is known of the request that is being answered. */
export interface RequestContext {
  readonly id: string;
  /** W3C trace context of the HTTP request: only where the message itself carries none. */
  readonly traceparent: string | undefined;
  /** Hash of the grant; undefined until somebody has signed in. */
  grant: string | undefined;
}

/** Proxies give a request a name under which their log has it. */
export const PROXY_REQUEST_ID_HEADER = 'x-request-id';

const requestContexts = new WeakSet<object>();

export function createRequestContext(request: Request): RequestContext {
  const proxyId = request.headers.get(PROXY_REQUEST_ID_HEADER);
  const context: RequestContext = {
    // A proxy's own id joins its log with this one; anything longer or odder is a stranger's text.
    id: proxyId !== null && /^[\w.:-]{1,64}$/.test(proxyId) ? proxyId : randomUUID(),
    traceparent: request.headers.get('traceparent') ?? undefined,
    grant: undefined,
  };
  requestContexts.add(context);
  return context;
}

/** Whether this is one: it travels with the request, since an AsyncLocalStorage would slow down every promise. */
export function isRequestContext(value: unknown): value is RequestContext {
  return typeof value === 'object' && value !== null && requestContexts.has(value);
}

/** Tells grants apart in a log, and says nothing about them. */
export function hashGrantId(id: string): string {
  return createHash('sha256').update(`docshare grant\n${id}`).digest('base64url').slice(0, 16);
}
