import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SCOPES, type Scope } from '../../../src/scopes.ts';
import { setBounded } from '../../bounded-map.ts';
import type { ClaimsEncryptor } from './claims-encryptor.ts';
import { type Grants, getGrantKeys } from './grants.ts';

/** Permissions that a person granted, stored only in the tokens, encrypted. */
export const Grant = z.object({
  id: z.string(),
  /** API key, if the sign-in has one workspace. */
  key: z.string().optional(),
  /** Two workspaces or more, of which each call names one. */
  workspaces: z.array(z.object({ name: z.string(), apiKey: z.string() })).optional(),
  client: z.string(),
  name: z.string(),
  place: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  declined: z.array(z.enum(SCOPES)),
  readOnly: z.boolean(),
  confirm: z.enum(['auto', 'always', 'unattended', 'off']),
  /** Browser that signed in: pages for this grant open in no other. */
  browser: z.string(),
  /** Hash of the person or agent, if they signed in through their organization. */
  subject: z.string().optional(),
  since: z.number(),
});
export type Grant = z.infer<typeof Grant>;

/** Identifies the sign-in. It stays the same when an employee or agent, who can't refresh, signs in to an app again. */
export const getSignInId = ({ id, client, subject }: Grant) => (subject === undefined ? id : `${client} ${subject}`);

/** Returns whether a program without a user signed in: it has no subject besides itself. */
export const isAgent = ({ client, subject }: Grant) => subject === client;

const Refresh = z.object({ grant: Grant, generation: z.number() });
const Access = z.object({ grant: Grant, exp: z.number() });

/** Sign-ins without a refresh token end soon after the organization withdraws access. */
const MAX_UNREFRESHED_TTL_MS = 60 * 60_000;
/** Decrypted tokens to cache, because decryption takes as long as the rest of a short call. */
const MAX_CACHED_TOKENS = 2000;

export interface AccessTokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
}

export interface TokenResponse extends AccessTokenResponse {
  readonly refresh_token: string;
}

export interface Tokens {
  /** The refresh token keeps all scopes of the grant; `scopes` narrows the access token (RFC 6749 §6). */
  issue(grant: Grant, generation: number, scopes?: readonly Scope[]): Promise<TokenResponse>;
  /** Issues an access token that can't be refreshed, valid for an hour at most, for a sign-in without a page. */
  issueAccess(grant: Grant): Promise<AccessTokenResponse>;
  /** Returns grant and expiry of an access token, or undefined if it is invalid or expired. */
  decryptAccessToken(token: string): Promise<{ grant: Grant; expiresAt: number } | undefined>;
  /** Returns whether this grant came from an access token verified here. */
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
  const createAccessResponse = async (grant: Grant, ttlMs: number): Promise<AccessTokenResponse> => ({
    access_token: await claimsEncryptor.encrypt('access', { grant }, ttlMs),
    token_type: 'Bearer',
    expires_in: Math.floor(ttlMs / 1000),
    scope: grant.scopes.join(' '),
  });
  return {
    async issue(grant, generation, scopes = grant.scopes) {
      const { id, name, place, readOnly, since } = grant;
      const keys = getGrantKeys(grant);
      const note = { id, client: name, place, scopes: grant.scopes, readOnly, since, usedAt: now(), keys: keys.length };
      await Promise.all(keys.map((key) => grants.recordUse(key, note)));
      return {
        ...(await createAccessResponse({ ...grant, scopes: [...scopes] }, accessTtlMs)),
        refresh_token: await claimsEncryptor.encrypt('refresh', { grant, generation }, refreshTtlMs),
      };
    },
    issueAccess: (grant) => createAccessResponse(grant, Math.min(accessTtlMs, MAX_UNREFRESHED_TTL_MS)),
    async decryptAccessToken(token) {
      const hash = createHash('sha256').update(token).digest('base64url');
      const known = cache.get(hash);
      if (known && known.expiresAt > Math.floor(now() / 1000)) return known;
      cache.delete(hash);
      const claims = Access.safeParse(await claimsEncryptor.decrypt('access', token));
      if (!claims.success) return undefined;
      const access = { grant: claims.data.grant, expiresAt: claims.data.exp };
      setBounded(cache, MAX_CACHED_TOKENS, [hash, access]);
      verifiedGrants.add(access.grant);
      return access;
    },
    isGrant: (value): value is Grant => typeof value === 'object' && value !== null && verifiedGrants.has(value),
    async decryptRefreshToken(token) {
      const claims = Refresh.safeParse(await claimsEncryptor.decrypt('refresh', token));
      return claims.success ? claims.data : undefined;
    },
  };
}
