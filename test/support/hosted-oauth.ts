/** The side of a host in OAuth: its registration, its authorization requests and its tokens. */
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { postForm, postJson } from './hosted-calls.ts';

type Json = Record<string, unknown>;

export interface TestHost {
  readonly clientId: string;
  readonly redirect: string;
}

export const CALLBACK = 'https://host.example/callback';

export async function registerHost(url: string, metadata: Json = {}): Promise<TestHost> {
  const answer = await postJson(url, '/register', { client_name: 'Test host', redirect_uris: [CALLBACK], ...metadata });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const { client_id, redirect_uris } = answer.body as { client_id: string; redirect_uris: string[] };
  return { clientId: client_id, redirect: redirect_uris[0] ?? '' };
}

export function createPkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** With the challenge of a verifier that nobody keeps, unless `more` has another one. */
export function authorizePath(host: TestHost, more: Record<string, string | undefined> = {}): string {
  const query = {
    response_type: 'code',
    client_id: host.clientId,
    redirect_uri: host.redirect,
    ...{ code_challenge: createPkce().challenge, code_challenge_method: 'S256' },
    state: 'state-1',
    ...more,
  };
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/authorize?${new URLSearchParams(given)}`;
}

/** A token response (RFC 6749 §5.1); other fields are kept for tests of them. */
export const TokenSet = z.looseObject({
  token_type: z.string(),
  access_token: z.string(),
  refresh_token: z.string(),
  scope: z.string(),
  expires_in: z.number(),
});
export type TokenSet = z.infer<typeof TokenSet>;

/** Exchanges a code for tokens. `wrong` replaces fields of the request. */
export function redeemCode(
  url: string,
  host: TestHost,
  { code, verifier, ...wrong }: { code: string; verifier: string } & Record<string, string>,
) {
  return postForm(url, '/token', {
    grant_type: 'authorization_code',
    client_id: host.clientId,
    redirect_uri: host.redirect,
    code,
    code_verifier: verifier,
    ...wrong,
  });
}

export function refreshAt(url: string, host: TestHost, refreshToken: string) {
  const fields = { grant_type: 'refresh_token', client_id: host.clientId, refresh_token: refreshToken };
  return postForm(url, '/token', fields);
}
