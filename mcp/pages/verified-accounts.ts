import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getSignedCookie, setSignedCookie } from 'hono/cookie';

export interface PageSession {
  /** Secret of the shared state, so that a cookie works on every replica. */
  readonly secret: Buffer;
  /** Over https, the cookie is bound to this host. */
  readonly publicUrl: string;
  /** See {@link getBrowserId}. */
  readonly browser: string;
}

const COOKIE_NAME = 'docshare-keys';
const COOKIE_TTL_S = 30 * 24 * 60 * 60;
const MAX_ACCOUNTS = 5;

/** Accounts whose keys were entered in this browser, as fingerprints that reveal nothing about the keys. */
export async function getVerifiedAccounts(context: Context, session: PageSession): Promise<readonly string[]> {
  const key = getSigningKey(session);
  const value = await getSignedCookie(context, key, COOKIE_NAME, getCookiePrefix(session));
  const [browser, until, ...accounts] = value ? value.split('.') : [];
  return browser === session.browser && Number(until) * 1000 > Date.now() ? accounts : [];
}

/** Stores in this browser's cookie that its user has entered the key. */
export async function rememberVerifiedAccount(context: Context, account: string, session: PageSession): Promise<void> {
  const others = (await getVerifiedAccounts(context, session)).filter((other) => other !== account);
  const until = Math.floor(Date.now() / 1000) + COOKIE_TTL_S;
  const value = [session.browser, until, account, ...others].slice(0, MAX_ACCOUNTS + 2).join('.');
  const prefix = getCookiePrefix(session);
  await setSignedCookie(context, COOKIE_NAME, value, getSigningKey(session), {
    path: '/',
    httpOnly: true,
    // Not strict: chats, which are other sites, link to these pages.
    sameSite: 'Lax',
    maxAge: COOKIE_TTL_S,
    secure: prefix !== undefined,
    ...(prefix ? { prefix } : {}),
  });
}

/** Creates a CSRF token for the form of one page in one browser. */
export function createFormToken({ secret, browser }: PageSession, page: string): string {
  return createHmac('sha256', secret).update(`form\n${browser}\n${page}`).digest('base64url');
}

export function isValidFormToken(input: unknown, expected: string): boolean {
  if (typeof input !== 'string') return false;
  const [actual, wanted] = [Buffer.from(input), Buffer.from(expected)];
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}

function getCookiePrefix({ publicUrl }: PageSession): 'host' | undefined {
  return publicUrl.startsWith('https:') ? 'host' : undefined;
}

function getSigningKey({ secret }: PageSession): string {
  return createHmac('sha256', secret).update('held keys').digest('base64url');
}
