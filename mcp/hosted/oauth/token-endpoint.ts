import type { AuthorizationCodes } from './authorization-codes.ts';
import type { Grants } from './grants.ts';
import { hashClientId, type OAuthClients } from './oauth-clients.ts';
import { checkResource, getSingleParameter } from './oauth-parameters.ts';
import { OAuthRequestError } from './oauth-request-error.ts';
import type { TokenResponse, Tokens } from './tokens.ts';

export interface TokenEndpoint {
  /** @throws OAuthFault */
  exchange(form: URLSearchParams): Promise<TokenResponse>;
  /** Ends the grant of a token (RFC 7009); what is no token of this server is overlooked. @throws OAuthFault */
  revoke(form: URLSearchParams): Promise<void>;
}

export function createTokenEndpoint(options: {
  clients: OAuthClients;
  codes: AuthorizationCodes;
  grants: Grants;
  tokens: Tokens;
  resource: string;
}): TokenEndpoint {
  const { clients, codes, grants, tokens, resource } = options;

  async function redeemCode(form: URLSearchParams, client: string): Promise<TokenResponse> {
    const grant = await codes.redeem({
      code: getRequiredParameter(form, 'code'),
      verifier: getRequiredParameter(form, 'code_verifier'),
      redirect: getSingleParameter(form, 'redirect_uri'),
      client,
    });
    return tokens.issue(grant, 0);
  }

  async function refresh(form: URLSearchParams, client: string): Promise<TokenResponse> {
    const opened = await tokens.decryptRefreshToken(getRequiredParameter(form, 'refresh_token'));
    if (!opened)
      throw new OAuthRequestError('invalid_grant', 'The refresh token is unknown or expired: sign in again.');
    const { grant, generation } = opened;
    if (grant.client !== client)
      throw new OAuthRequestError('invalid_grant', 'The refresh token was given to another client.');
    if (await grants.isRevoked(grant))
      throw new OAuthRequestError('invalid_grant', 'This sign-in was ended: sign in again.');
    const requestedScopes = getSingleParameter(form, 'scope')?.split(' ').filter(Boolean) ?? [];
    if (requestedScopes.some((scope) => !(grant.scopes as readonly string[]).includes(scope)))
      throw new OAuthRequestError('invalid_scope', 'A refresh gives no scope that the person did not allow.');
    const nextGeneration = await grants.rotate(grant.id, generation);
    if (nextGeneration === undefined)
      throw new OAuthRequestError(
        'invalid_grant',
        'The refresh token was replaced by a newer one before; somebody may have copied it, so this sign-in is ended. Sign in again.',
      );
    return tokens.issue(grant, nextGeneration);
  }

  return {
    async exchange(form) {
      const kind = getRequiredParameter(form, 'grant_type');
      const id = getRequiredParameter(form, 'client_id');
      // A document is not fetched for it: what was given out names the client, and proves nothing more.
      if (!id.startsWith('https://')) await clients.find(id);
      checkResource(form, resource);
      if (kind === 'authorization_code') return redeemCode(form, hashClientId(id));
      if (kind === 'refresh_token') return refresh(form, hashClientId(id));
      throw new OAuthRequestError(
        'unsupported_grant_type',
        'This server knows authorization_code and refresh_token.',
      );
    },
    async revoke(form) {
      const token = getRequiredParameter(form, 'token');
      const opened = (await tokens.decryptRefreshToken(token)) ?? (await tokens.decryptAccessToken(token));
      const client = getSingleParameter(form, 'client_id');
      if (!opened) return;
      if (client !== undefined && hashClientId(client) !== opened.grant.client)
        throw new OAuthRequestError('invalid_client', 'The token was given to another client.', 401);
      if (!(await grants.revoke(opened.grant.id)))
        throw new OAuthRequestError(
          'temporarily_unavailable',
          'The sign-in is ended here; other replicas can’t be told just now. Try again in a few seconds.',
          503,
        );
    },
  };
}

function getRequiredParameter(form: URLSearchParams, name: string): string {
  const value = getSingleParameter(form, name);
  if (value === undefined) throw new OAuthRequestError('invalid_request', `${name} is missing.`);
  return value;
}
