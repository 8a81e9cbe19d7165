import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getSignedCookie, setSignedCookie } from 'hono/cookie';

export interface PageSession {
  /** The state's secret, so that a cookie is good at every replica. */
  readonly secret: Buffer;
  /** The address that people see; over https the cookie is kept to it. */
  readonly publicUrl: string;
  /** See `browserOf`. */
  readonly browser: string;
}

const COOKIE_NAME = 'docshare-keys';
const COOKIE_TTL_S = 30 * 24 * 60 * 60;
const MAX_ACCOUNTS = 5;

/** The accounts whose keys were typed in this browser; their fingerprints say nothing about the keys. */
export async function getVerifiedAccounts(
  context: Context,
  session: PageSession,
): Promise<readonly string[]> {
  const key = getSigningKey(session);
  const value = isSecure(session)
    ? await getSignedCookie(context, key, COOKIE_NAME, 'host')
    : await getSignedCookie(context, key, COOKIE_NAME);
  const [browser, until, ...accounts] = value ? value.split('.') : [];
  return browser === session.browser && Number(until) * 1000 > Date.now() ? accounts : [];
}

/** Remembers in a cookie of this very browser that its person has typed the key. */
export async function rememberAccount(
  context: Context,
  account: string,
  session: PageSession,
): Promise<void> {
  const others = (await getVerifiedAccounts(context, session)).filter((one) => one !== account);
  const until = Math.floor(Date.now() / 1000) + COOKIE_TTL_S;
  const value = [session.browser, until, account, ...others].slice(0, MAX_ACCOUNTS + 2).join('.');
  const secure = isSecure(session);
  await setSignedCookie(context, COOKIE_NAME, value, getSigningKey(session), {
    path: '/',
    httpOnly: true,
    // Not strict: pages are opened from a chat, which is another site.
    sameSite: 'Lax',
    maxAge: COOKIE_TTL_S,
    secure,
    ...(secure ? { prefix: 'host' as const } : {}),
  });
}

/** What the form of one page sends back from one browser, and no other site can know. */
export function createFormToken({ secret, browser }: PageSession, page: string): string {
  return createHmac('sha256', secret).update(`form\n${browser}\n${page}`).digest('base64url');
}

export function isValidFormToken(input: unknown, expected: string): boolean {
  if (typeof input !== 'string') return false;
  const [one, other] = [Buffer.from(input), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function isSecure({ publicUrl }: PageSession): boolean {
  return publicUrl.startsWith('https:');
}

function getSigningKey({ secret }: PageSession): string {
  return createHmac('sha256', secret).update('held keys').digest('base64url');
}
