import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

const COOKIE_TTL_S = 365 * 24 * 60 * 60;

/** Hash of this browser's cookie, which is set if missing. Forms and grants are bound to it. */
export function getBrowserId(context: Context, issuer: string): string {
  const secure = issuer.startsWith('https:');
  // With the `__Host-` prefix, other hosts of the domain can't set the cookie.
  const name = secure ? '__Host-docshare' : 'docshare';
  const existing = getCookie(context, name);
  const value = existing && /^[\w-]{43}$/.test(existing) ? existing : randomBytes(32).toString('base64url');
  // Lax: another site links to the first page, which must receive the cookie.
  setCookie(context, name, value, { path: '/', httpOnly: true, secure, sameSite: 'Lax', maxAge: COOKIE_TTL_S });
  return createHash('sha256').update(`docshare browser\n${value}`).digest('base64url').slice(0, 22);
}

/** Returns whether a form came from a page of this server, as far as the browser's headers say. */
export function isSameOriginForm(request: Request, issuer: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  return (site === null || site === 'same-origin') && (origin === null || origin === issuer);
}
