import { z } from 'zod';
import type { Scope } from '../../../src/scopes.ts';
import type { OAuthClient, OAuthClients } from './oauth-clients.ts';
import { checkResource, getRequiredParameter, getSingleParameter } from './oauth-parameters.ts';
import { OAuthRequestError } from './oauth-request-error.ts';
import { buildRedirectUrl, isRegisteredRedirect } from './redirect-uri.ts';
import { parseScopes } from './scope-selection.ts';

/** Authorization request, as carried through the pages in encrypted form. */
export const AuthorizationRequest = z.object({
  client: z.string(),
  redirect: z.string(),
  challenge: z.string(),
  state: z.string().optional(),
  scope: z.string().optional(),
});
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>;

/** A valid request, or an error to return to the app. */
type AuthorizationResult = { readonly client: OAuthClient; readonly redirect: string } & (
  | { readonly authorization: AuthorizationRequest }
  | { readonly error: OAuthRequestError; readonly returnUrl: string }
);

const MAX_STATE_LENGTH = 4096;

/** @throws OAuthRequestError if client or redirect can't be trusted, so that no redirect may happen. */
export async function parseAuthorizationRequest(
  query: URLSearchParams,
  options: { clients: OAuthClients; resource: string; issuer: string; scopes: readonly Scope[]; address: string },
): Promise<AuthorizationResult> {
  const id = getRequiredParameter(query, 'client_id');
  const requestedRedirect = getSingleParameter(query, 'redirect_uri');
  const client = await options.clients.find(id, { redirect: requestedRedirect, address: options.address });
  const redirect = requestedRedirect ?? getOnlyRedirect(client);
  if (redirect === undefined) throw new OAuthRequestError('invalid_request', 'redirect_uri is missing.');
  if (!isRegisteredRedirect(redirect, client.redirects))
    throw new OAuthRequestError('invalid_request', 'redirect_uri is not registered for this app.');
  // Read first, because error redirects contain it too.
  const states = query.getAll('state');
  const state = states.length === 1 && (states[0] ?? '').length <= MAX_STATE_LENGTH ? states[0] : undefined;
  try {
    const challenge = parseCodeChallenge(query, { state, resource: options.resource });
    const scope = parseScopes(getSingleParameter(query, 'scope'), options.scopes).join(' ') || undefined;
    return { client, redirect, authorization: { client: id, redirect, challenge, state, scope } };
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

/** Validates the remaining parameters and returns the code_challenge. */
function parseCodeChallenge(
  query: URLSearchParams,
  { state, resource }: { state: string | undefined; resource: string },
): string {
  const response = getSingleParameter(query, 'response_type');
  if (response !== 'code') throw new OAuthRequestError('unsupported_response_type', 'response_type must be code.');
  const mode = getSingleParameter(query, 'response_mode');
  if (mode !== undefined && mode !== 'query')
    throw new OAuthRequestError('invalid_request', 'response_mode must be query.');
  const challenge = getSingleParameter(query, 'code_challenge');
  const method = getSingleParameter(query, 'code_challenge_method');
  if (challenge === undefined || method !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthRequestError('invalid_request', 'PKCE is required: send code_challenge with method S256.');
  if (query.has('state') && state === undefined)
    throw new OAuthRequestError(
      'invalid_request',
      `state must be sent once and have at most ${MAX_STATE_LENGTH} characters.`,
    );
  if ((getSingleParameter(query, 'prompt') ?? '').split(' ').includes('none'))
    throw new OAuthRequestError(
      'interaction_required',
      'Sign-in needs user interaction, so prompt=none is not supported.',
    );
  checkResource(query, resource);
  return challenge;
}

function getOnlyRedirect({ redirects }: OAuthClient): string | undefined {
  return redirects.length === 1 ? redirects[0] : undefined;
}
