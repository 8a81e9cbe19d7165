import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';

/** What is known of the request that is being answered, wherever in the code. */
export interface RequestScene {
  readonly id: string;
  /** W3C trace context of the HTTP request: only where the message itself carries none. */
  readonly traceparent: string | undefined;
  /** Hash of the grant; undefined until somebody has signed in. */
  grant: string | undefined;
}

/** Proxies give a request a name under which their log has it. */
export const REQUEST_ID = 'x-request-id';

const scenes = new AsyncLocalStorage<RequestScene>();

export function sceneOf(request: Request): RequestScene {
  const given = request.headers.get(REQUEST_ID);
  return {
    // A proxy's own id joins its log with this one; anything longer or odder is a stranger's text.
    id: given !== null && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID(),
    traceparent: request.headers.get('traceparent') ?? undefined,
    grant: undefined,
  };
}

export function withScene<Result>(scene: RequestScene, act: () => Result): Result {
  return scenes.run(scene, act);
}

export function currentScene(): RequestScene | undefined {
  return scenes.getStore();
}

/** Tells grants apart in a log, and says nothing about them. */
export function grantHash(id: string): string {
  return createHash('sha256').update(`docshare grant\n${id}`).digest('base64url').slice(0, 16);
}
