import { createHash, randomUUID } from 'node:crypto';

/** Context of the current request. */
export interface RequestContext {
  readonly id: string;
  /** W3C trace context of the HTTP request, for messages that carry none. */
  readonly traceparent: string | undefined;
  /** Hash of the grant; undefined before authentication. */
  grant: string | undefined;
}

/** Request id header of common proxies. */
export const PROXY_REQUEST_ID_HEADER = 'x-request-id';

const requestContexts = new WeakSet<object>();

export function createRequestContext(request: Request): RequestContext {
  const proxyId = request.headers.get(PROXY_REQUEST_ID_HEADER);
  const context: RequestContext = {
    // The proxy's id correlates both logs; anything longer or unusual is untrusted.
    id: proxyId !== null && /^[\w.:-]{1,64}$/.test(proxyId) ? proxyId : randomUUID(),
    traceparent: request.headers.get('traceparent') ?? undefined,
    grant: undefined,
  };
  requestContexts.add(context);
  return context;
}

/** Type guard. The context travels with the request, because AsyncLocalStorage slows down every promise. */
export function isRequestContext(value: unknown): value is RequestContext {
  return typeof value === 'object' && value !== null && requestContexts.has(value);
}

/** Hash that distinguishes grants in a log without revealing them. */
export function hashGrantId(id: string): string {
  return createHash('sha256').update(`docshare grant\n${id}`).digest('base64url').slice(0, 16);
}
