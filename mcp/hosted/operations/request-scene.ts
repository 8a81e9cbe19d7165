import { createHash, randomUUID } from 'node:crypto';

/** What is known of the request that is being answered. */
export interface RequestScene {
  readonly id: string;
  /** W3C trace context of the HTTP request: only where the message itself carries none. */
  readonly traceparent: string | undefined;
  /** Hash of the grant; undefined until somebody has signed in. */
  grant: string | undefined;
}

/** Proxies give a request a name under which their log has it. */
export const REQUEST_ID = 'x-request-id';

const scenes = new WeakSet<object>();

export function createRequestContext(request: Request): RequestScene {
  const given = request.headers.get(REQUEST_ID);
  const scene: RequestScene = {
    // A proxy's own id joins its log with this one; anything longer or odder is a stranger's text.
    id: given !== null && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID(),
    traceparent: request.headers.get('traceparent') ?? undefined,
    grant: undefined,
  };
  scenes.add(scene);
  return scene;
}

/** Whether this is one: it travels with the request, since an AsyncLocalStorage would slow down every promise. */
export function isScene(value: unknown): value is RequestScene {
  return typeof value === 'object' && value !== null && scenes.has(value);
}

/** Tells grants apart in a log, and says nothing about them. */
export function grantHash(id: string): string {
  return createHash('sha256').update(`docshare grant\n${id}`).digest('base64url').slice(0, 16);
}
