import { z } from 'zod';
import type { Scope } from '../../../src/scopes.ts';
import type { OAuthClient, OAuthClients } from './oauth-clients.ts';
import { checkResource, getSingleParameter } from './oauth-parameters.ts';
import { OAuthRequestError } from './oauth-request-error.ts';
import { buildRedirectUrl, isRegisteredRedirect } from './redirect-uri.ts';
import { parseScopes } from './scope-selection.ts';

/** What a host asked for, as it travels through the pages, sealed. */
export const AuthorizationRequest = z.object({
  client: z.string(),
  redirect: z.string(),
  challenge: z.string(),
  state: z.string().optional(),
  scope: z.string().optional(),
});
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>;

/** A request that can be put before a person, or one that its host should hear no to. */
export type AuthorizationResult = { readonly client: OAuthClient; readonly redirect: string } & (
  | { readonly authorization: AuthorizationRequest; readonly scopes: readonly Scope[] }
  | { readonly error: OAuthRequestError; readonly returnUrl: string }
);

const MAX_STATE_LENGTH = 4096;

/** @throws OAuthFault where it is not sure who asks, so that nobody may be sent anywhere. */
export async function parseAuthorizationRequest(
  query: URLSearchParams,
  options: { clients: OAuthClients; resource: string; issuer: string; scopes: readonly Scope[] },
): Promise<AuthorizationResult> {
  const id = getSingleParameter(query, 'client_id');
  if (id === undefined) throw new OAuthRequestError('invalid_request', 'client_id is missing.');
  const client = await options.clients.find(id);
  const redirect = getSingleParameter(query, 'redirect_uri') ?? getOnlyRedirect(client);
  if (redirect === undefined) throw new OAuthRequestError('invalid_request', 'redirect_uri is missing.');
  if (!isRegisteredRedirect(redirect, client.redirects))
    throw new OAuthRequestError(
      'invalid_request',
      'redirect_uri is none of the addresses that the app registered.',
    );
  // Read first, because a no carries it too.
  const states = query.getAll('state');
  const state = states.length === 1 && (states[0] ?? '').length <= MAX_STATE_LENGTH ? states[0] : undefined;
  try {
    const challenge = parseCodeChallenge(query, options.resource);
    const named = parseScopes(getSingleParameter(query, 'scope'), options.scopes);
    const scope = named.length > 0 ? named.join(' ') : undefined;
    const scopes = named.length > 0 ? named : options.scopes;
    return { client, redirect, scopes, authorization: { client: id, redirect, challenge, state, scope } };
  } catch (error) {
    if (!(error instanceof OAuthRequestError)) throw error;
    const returnUrl = buildRedirectUrl(redirect, {
      error: error.code,
      error_description: error.message,
      state,
      iss: options.issuer,
    });
    return { client, redirect, error, returnUrl };
  }
}

/** The code_challenge, once all else is as this server has it. */
function parseCodeChallenge(query: URLSearchParams, resource: string): string {
  const response = getSingleParameter(query, 'response_type');
  if (response !== 'code')
    throw new OAuthRequestError('unsupported_response_type', 'response_type must be code.');
  const mode = getSingleParameter(query, 'response_mode');
  if (mode !== undefined && mode !== 'query')
    throw new OAuthRequestError('invalid_request', 'response_mode must be query.');
  const challenge = getSingleParameter(query, 'code_challenge');
  const method = getSingleParameter(query, 'code_challenge_method');
  if (challenge === undefined || method !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthRequestError('invalid_request', 'PKCE is required: code_challenge with the method S256.');
  const states = query.getAll('state');
  if (states.length > 1 || (states[0] ?? '').length > MAX_STATE_LENGTH)
    throw new OAuthRequestError(
      'invalid_request',
      `state must be sent once, with ${MAX_STATE_LENGTH} characters at most.`,
    );
  if ((getSingleParameter(query, 'prompt') ?? '').split(' ').includes('none'))
    throw new OAuthRequestError('interaction_required', 'A person has to sign in here.');
  checkResource(query, resource);
  return challenge;
}

function getOnlyRedirect({ redirects }: OAuthClient): string | undefined {
  return redirects.length === 1 ? redirects[0] : undefined;
}
