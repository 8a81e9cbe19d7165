import type { Context, MiddlewareHandler } from 'hono';
import { EVENT_SENDER } from '../webhooks/post-event.ts';
import type { Env } from './exchange.ts';
import { isLoopbackHost, isSameOrigin } from './same-site.ts';

const LOOPBACK_ADDRESS = /^(::ffff:)?127\.|^::1$/;

/** Whether a request comes from this machine and means it: a name that was rebound to this address gives itself away. */
export function isLocalRequest(context: Context<Env>): boolean {
  const { headers, socket } = context.env.incoming;
  return LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') && isLoopbackHost(headers.host ?? '');
}

/**
 * Lets in only this machine's own programs and the sandbox's own page. The address alone is not enough: a website in
 * the person's browser also comes from loopback, and gives itself away by its `Host` (a rebound name), its `Origin`, or
 * by what the browser says of the site that asks.
 */
export const rejectRemoteRequests: MiddlewareHandler<Env> = async (context, next) => {
  const { headers } = context.env.incoming;
  // An event must not reach the controls either: anyone with a key can register an address.
  const isEvent = headers['user-agent'] === EVENT_SENDER;
  if (isLocalRequest(context) && isSameOrigin(headers) && !isEvent) return next();
  return context.json({ error: 'The control routes answer this machine and its own page only' }, 403);
};
