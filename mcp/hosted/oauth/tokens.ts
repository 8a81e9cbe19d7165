import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isScope, type Scope } from '../../../src/scopes.ts';
import type { ClaimsEncryptor } from './claims-encryptor.ts';
import type { Grants } from './grants.ts';

const ScopeName = z.string().transform((name, context): Scope => {
  if (isScope(name)) return name;
  context.addIssue('no scope');
  return z.NEVER;
});

/** What a person allowed: it travels sealed in the tokens and stands nowhere else. */
export const Grant = z.object({
  id: z.string(),
  /** The key of the service. */
  key: z.string(),
  /** Hash of the client's id. */
  client: z.string(),
  name: z.string(),
  place: z.string(),
  scopes: z.array(ScopeName),
  declined: z.array(ScopeName),
  readOnly: z.boolean(),
  confirm: z.enum(['auto', 'always', 'token', 'off']),
  /** Hash of the browser that signed in: pages that act for this grant open in no other. */
  browser: z.string(),
  since: z.number(),
});
export type Grant = z.infer<typeof Grant>;

const Refresh = z.object({ grant: Grant, generation: z.number() });
const Access = z.object({ grant: Grant, exp: z.number() });

/** Tokens in use that are kept open: to open one takes as long as the rest of a short call. */
const MAX_CACHED_TOKENS = 2000;

export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

export interface Tokens {
  issue(grant: Grant, generation: number): Promise<TokenResponse>;
  /** The grant of an access token, and when the token ends; undefined where it is none of this resource, or ended. */
  decryptAccessToken(token: string): Promise<{ grant: Grant; expiresAt: number } | undefined>;
  /** Whether this grant came out of an access token here. */
  isGrant(value: unknown): value is Grant;
  decryptRefreshToken(token: string): Promise<{ grant: Grant; generation: number } | undefined>;
}

export function createTokens(options: {
  claimsEncryptor: ClaimsEncryptor;
  grants: Grants;
  accessTtlMs: number;
  refreshTtlMs: number;
  now?: () => number;
}): Tokens {
  const { claimsEncryptor, grants, accessTtlMs, refreshTtlMs, now = Date.now } = options;
  const verifiedGrants = new WeakSet<object>();
  const cache = new Map<string, { grant: Grant; expiresAt: number }>();
  return {
    async issue(grant, generation) {
      const { id, key, name, place, scopes, readOnly, since } = grant;
      await grants.recordUse(key, { id, client: name, place, scopes, readOnly, since, usedAt: now() });
      return {
        access_token: await claimsEncryptor.encrypt('access', { grant }, accessTtlMs),
        token_type: 'Bearer',
        expires_in: Math.floor(accessTtlMs / 1000),
        refresh_token: await claimsEncryptor.encrypt('refresh', { grant, generation }, refreshTtlMs),
        scope: scopes.join(' '),
      };
    },
    async decryptAccessToken(token) {
      const hash = createHash('sha256').update(token).digest('base64url');
      const known = cache.get(hash);
      if (known && known.expiresAt > Math.floor(now() / 1000)) return known;
      cache.delete(hash);
      const claims = Access.safeParse(await claimsEncryptor.decrypt('access', token));
      if (!claims.success) return undefined;
      const access = { grant: claims.data.grant, expiresAt: claims.data.exp };
      const [oldest] = cache.keys();
      if (cache.size >= MAX_CACHED_TOKENS && oldest !== undefined) cache.delete(oldest);
      cache.set(hash, access);
      verifiedGrants.add(access.grant);
      return access;
    },
    isGrant: (value): value is Grant =>
      typeof value === 'object' && value !== null && verifiedGrants.has(value),
    async decryptRefreshToken(token) {
      const claims = Refresh.safeParse(await claimsEncryptor.decrypt('refresh', token));
      return claims.success ? claims.data : undefined;
    },
  };
}
