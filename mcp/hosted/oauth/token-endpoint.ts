import type { AuthorizationCodes } from './authorization-codes.ts';
import type { Grants } from './grants.ts';
import { hashClientId, type OAuthClients } from './oauth-clients.ts';
import { checkResource, getRequiredParameter, getSingleParameter } from './oauth-parameters.ts';
import { OAuthRequestError } from './oauth-request-error.ts';
import type { TokenResponse, Tokens } from './tokens.ts';

export function createTokenEndpoint(options: {
  clients: OAuthClients;
  codes: AuthorizationCodes;
  grants: Grants;
  tokens: Tokens;
  resource: string;
}) {
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
      throw new OAuthRequestError('invalid_grant', 'The refresh token is unknown or expired. Sign in again.');
    const { grant, generation } = opened;
    if (grant.client !== client)
      throw new OAuthRequestError('invalid_grant', 'The refresh token was issued to another client.');
    if (await grants.isRevoked(grant))
      throw new OAuthRequestError('invalid_grant', 'Access was revoked. Sign in again.');
    const requestedScopes = getSingleParameter(form, 'scope')?.split(' ').filter(Boolean) ?? [];
    if (requestedScopes.some((scope) => !(grant.scopes as readonly string[]).includes(scope)))
      throw new OAuthRequestError('invalid_scope', 'scope must not contain scopes that the user did not grant.');
    const nextGeneration = await grants.rotate(grant.id, generation);
    if (nextGeneration === undefined)
      throw new OAuthRequestError(
        'invalid_grant',
        'This refresh token was already replaced and may have been copied, so access was revoked. Sign in again.',
      );
    const narrowed = grant.scopes.filter((scope) => requestedScopes.includes(scope));
    return tokens.issue(grant, nextGeneration, narrowed.length > 0 ? narrowed : grant.scopes);
  }

  return {
    async exchange(form: URLSearchParams): Promise<TokenResponse> {
      const kind = getRequiredParameter(form, 'grant_type');
      const id = getRequiredParameter(form, 'client_id');
      // Metadata documents are not fetched here: the token already names its client.
      if (!id.startsWith('https://')) await clients.find(id);
      checkResource(form, resource);
      if (kind === 'authorization_code') return redeemCode(form, hashClientId(id));
      if (kind === 'refresh_token') return refresh(form, hashClientId(id));
      throw new OAuthRequestError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
    },
    /** Revokes the grant of a token (RFC 7009); unknown tokens are ignored. @throws OAuthRequestError */
    async revoke(form: URLSearchParams): Promise<void> {
      const token = getRequiredParameter(form, 'token');
      const opened = (await tokens.decryptRefreshToken(token)) ?? (await tokens.decryptAccessToken(token));
      const client = getSingleParameter(form, 'client_id');
      if (!opened) return;
      if (client !== undefined && hashClientId(client) !== opened.grant.client)
        throw new OAuthRequestError('invalid_client', 'The token was issued to another client.', 401);
      if (!(await grants.revoke(opened.grant.id)))
        throw new OAuthRequestError(
          'temporarily_unavailable',
          'Access is revoked on this replica but not yet on the others. Try again in a few seconds.',
          503,
        );
    },
  };
}
