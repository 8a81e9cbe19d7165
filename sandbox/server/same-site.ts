import type { IncomingHttpHeaders } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { WEBHOOK_USER_AGENT } from '../webhooks/post-event.ts';
import type { Env } from './exchange.ts';

/** Returns true if a `Host` header names this machine, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host);
}

/**
 * Returns true for a request from a page of this server or from no page; browsers send `Origin` with forms,
 * and `Sec-Fetch-Site`.
 */
export function isSameOrigin({ host, origin, 'sec-fetch-site': site = 'none' }: IncomingHttpHeaders): boolean {
  if (site !== 'none' && site !== 'same-origin') return false;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

const LOOPBACK_ADDRESS = /^(::ffff:)?127\.|^::1$/;

/** Returns true for a request from this machine whose `Host` is local; DNS rebinding shows in the host name. */
export function isLocalRequest(context: Context<Env>): boolean {
  const { headers, socket } = context.env.incoming;
  return LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') && isLoopbackHost(headers.host ?? '');
}

/**
 * Admits only local programs and the console. The IP address is not enough: a website in the user's browser
 * also comes from loopback, but its `Host` (rebinding), `Origin` or `Sec-Fetch-Site` reveals it.
 */
export const rejectRemoteRequests: MiddlewareHandler<Env> = async (context, next) => {
  const { headers } = context.env.incoming;
  // Rejects webhook deliveries: anyone with a key can register the control URL.
  const isEvent = headers['user-agent'] === WEBHOOK_USER_AGENT;
  if (isLocalRequest(context) && isSameOrigin(headers) && !isEvent) return next();
  return context.json({ error: 'Control routes are available only to local programs and the console' }, 403);
};
