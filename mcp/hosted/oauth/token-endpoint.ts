import { type Clients, clientHash } from './clients.ts';
import type { Codes } from './codes.ts';
import type { Grants } from './grants.ts';
import { OAuthFault } from './oauth-fault.ts';
import { checkResource, readOnce } from './parameters.ts';
import type { TokenAnswer, Tokens } from './tokens.ts';

export interface TokenEndpoint {
  /** @throws OAuthFault */
  exchange(form: URLSearchParams): Promise<TokenAnswer>;
  /** Ends the grant of a token (RFC 7009); what is no token of this server is overlooked. @throws OAuthFault */
  revoke(form: URLSearchParams): Promise<void>;
}

export function createTokenEndpoint(options: {
  clients: Clients;
  codes: Codes;
  grants: Grants;
  tokens: Tokens;
  resource: string;
}): TokenEndpoint {
  const { clients, codes, grants, tokens, resource } = options;

  async function redeemCode(form: URLSearchParams, client: string): Promise<TokenAnswer> {
    const grant = await codes.redeem({
      code: required(form, 'code'),
      verifier: required(form, 'code_verifier'),
      redirect: readOnce(form, 'redirect_uri'),
      client,
    });
    return tokens.issue(grant, 0);
  }

  async function refresh(form: URLSearchParams, client: string): Promise<TokenAnswer> {
    const opened = await tokens.openRefresh(required(form, 'refresh_token'));
    if (!opened)
      throw new OAuthFault('invalid_grant', 'The refresh token is unknown or expired: sign in again.');
    const { grant, turn } = opened;
    if (grant.client !== client)
      throw new OAuthFault('invalid_grant', 'The refresh token was given to another client.');
    if (await grants.isEnded(grant))
      throw new OAuthFault('invalid_grant', 'This sign-in was ended: sign in again.');
    const wanted = readOnce(form, 'scope')?.split(' ').filter(Boolean) ?? [];
    if (wanted.some((scope) => !(grant.scopes as readonly string[]).includes(scope)))
      throw new OAuthFault('invalid_scope', 'A refresh gives no scope that the person did not allow.');
    const next = await grants.rotate(grant.id, turn);
    if (next === undefined)
      throw new OAuthFault(
        'invalid_grant',
        'The refresh token was replaced by a newer one before; somebody may have copied it, so this sign-in is ended. Sign in again.',
      );
    return tokens.issue(grant, next);
  }

  return {
    async exchange(form) {
      const kind = required(form, 'grant_type');
      const id = required(form, 'client_id');
      // A document is not fetched for it: what was given out names the client, and proves nothing more.
      if (!id.startsWith('https://')) await clients.find(id);
      checkResource(form, resource);
      if (kind === 'authorization_code') return redeemCode(form, clientHash(id));
      if (kind === 'refresh_token') return refresh(form, clientHash(id));
      throw new OAuthFault(
        'unsupported_grant_type',
        'This server knows authorization_code and refresh_token.',
      );
    },
    async revoke(form) {
      const token = required(form, 'token');
      const opened = (await tokens.openRefresh(token)) ?? (await tokens.openAccess(token));
      const client = readOnce(form, 'client_id');
      if (!opened) return;
      if (client !== undefined && clientHash(client) !== opened.grant.client)
        throw new OAuthFault('invalid_client', 'The token was given to another client.', 401);
      if (!(await grants.end(opened.grant.id)))
        throw new OAuthFault(
          'temporarily_unavailable',
          'The sign-in is ended here; other replicas can’t be told just now. Try again in a few seconds.',
          503,
        );
    },
  };
}

function required(form: URLSearchParams, name: string): string {
  const value = readOnce(form, name);
  if (value === undefined) throw new OAuthFault('invalid_request', `${name} is missing.`);
  return value;
}
