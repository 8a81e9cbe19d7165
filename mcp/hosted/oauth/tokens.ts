import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isScope, type Scope } from '../../../src/scopes.ts';
import type { Grants } from './grants.ts';
import type { Seals } from './seal.ts';

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

const Refresh = z.object({ grant: Grant, turn: z.number() });
const Access = z.object({ grant: Grant, exp: z.number() });

/** Tokens in use that are kept open: to open one takes as long as the rest of a short call. */
const OPEN_TOKENS = 2000;

export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

export interface Tokens {
  issue(grant: Grant, turn: number): Promise<TokenAnswer>;
  /** The grant of an access token, and when the token ends; undefined where it is none of this resource, or ended. */
  openAccess(token: string): Promise<{ grant: Grant; expiresAt: number } | undefined>;
  /** Whether this grant came out of an access token here. */
  isGrant(value: unknown): value is Grant;
  openRefresh(token: string): Promise<{ grant: Grant; turn: number } | undefined>;
}

export function createTokens(options: {
  seals: Seals;
  grants: Grants;
  accessTtlMs: number;
  refreshTtlMs: number;
  now?: () => number;
}): Tokens {
  const { seals, grants, accessTtlMs, refreshTtlMs, now = Date.now } = options;
  const grantsOpened = new WeakSet<object>();
  const opened = new Map<string, { grant: Grant; expiresAt: number }>();
  return {
    async issue(grant, turn) {
      const { id, key, name, place, scopes, readOnly, since } = grant;
      await grants.note(key, { id, client: name, place, scopes, readOnly, since, usedAt: now() });
      return {
        access_token: await seals.seal('access', { grant }, accessTtlMs),
        token_type: 'Bearer',
        expires_in: Math.floor(accessTtlMs / 1000),
        refresh_token: await seals.seal('refresh', { grant, turn }, refreshTtlMs),
        scope: scopes.join(' '),
      };
    },
    async openAccess(token) {
      const hash = createHash('sha256').update(token).digest('base64url');
      const known = opened.get(hash);
      if (known && known.expiresAt > Math.floor(now() / 1000)) return known;
      opened.delete(hash);
      const claims = Access.safeParse(await seals.open('access', token));
      if (!claims.success) return undefined;
      const access = { grant: claims.data.grant, expiresAt: claims.data.exp };
      const [oldest] = opened.keys();
      if (opened.size >= OPEN_TOKENS && oldest !== undefined) opened.delete(oldest);
      opened.set(hash, access);
      grantsOpened.add(access.grant);
      return access;
    },
    isGrant: (value): value is Grant =>
      typeof value === 'object' && value !== null && grantsOpened.has(value),
    async openRefresh(token) {
      const claims = Refresh.safeParse(await seals.open('refresh', token));
      return claims.success ? claims.data : undefined;
    },
  };
}
