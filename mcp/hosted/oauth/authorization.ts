import { z } from 'zod';
import type { Scope } from '../../../src/scopes.ts';
import type { Clients, OAuthClient } from './clients.ts';
import { scopesIn } from './narrowing.ts';
import { OAuthFault } from './oauth-fault.ts';
import { checkResource, readOnce } from './parameters.ts';
import { answerAt, isOwnRedirect } from './redirects.ts';

/** What a host asked for, as it travels through the pages, sealed. */
export const Asked = z.object({
  client: z.string(),
  redirect: z.string(),
  challenge: z.string(),
  state: z.string().optional(),
  scope: z.string().optional(),
});
export type Asked = z.infer<typeof Asked>;

/** A request that can be put before a person, or one that its host should hear no to. */
export type Authorization = { readonly client: OAuthClient; readonly redirect: string } & (
  | { readonly asked: Asked; readonly scopes: readonly Scope[] }
  | { readonly fault: OAuthFault; readonly backTo: string }
);

const STATE_LIMIT = 4096;

/** @throws OAuthFault where it is not sure who asks, so that nobody may be sent anywhere. */
export async function readAuthorization(
  query: URLSearchParams,
  options: { clients: Clients; resource: string; issuer: string; scopes: readonly Scope[] },
): Promise<Authorization> {
  const id = readOnce(query, 'client_id');
  if (id === undefined) throw new OAuthFault('invalid_request', 'client_id is missing.');
  const client = await options.clients.find(id);
  const redirect = readOnce(query, 'redirect_uri') ?? onlyRedirect(client);
  if (redirect === undefined) throw new OAuthFault('invalid_request', 'redirect_uri is missing.');
  if (!isOwnRedirect(redirect, client.redirects))
    throw new OAuthFault('invalid_request', 'redirect_uri is none of the addresses that the app registered.');
  // Read first, because a no carries it too.
  const states = query.getAll('state');
  const state = states.length === 1 && (states[0] ?? '').length <= STATE_LIMIT ? states[0] : undefined;
  try {
    const challenge = readRequest(query, options.resource);
    const named = scopesIn(readOnce(query, 'scope'), options.scopes);
    const scope = named.length > 0 ? named.join(' ') : undefined;
    const scopes = named.length > 0 ? named : options.scopes;
    return { client, redirect, scopes, asked: { client: id, redirect, challenge, state, scope } };
  } catch (fault) {
    if (!(fault instanceof OAuthFault)) throw fault;
    const backTo = answerAt(redirect, {
      error: fault.code,
      error_description: fault.message,
      state,
      iss: options.issuer,
    });
    return { client, redirect, fault, backTo };
  }
}

/** The code_challenge, once all else is as this server has it. */
function readRequest(query: URLSearchParams, resource: string): string {
  const response = readOnce(query, 'response_type');
  if (response !== 'code') throw new OAuthFault('unsupported_response_type', 'response_type must be code.');
  const mode = readOnce(query, 'response_mode');
  if (mode !== undefined && mode !== 'query')
    throw new OAuthFault('invalid_request', 'response_mode must be query.');
  const challenge = readOnce(query, 'code_challenge');
  const method = readOnce(query, 'code_challenge_method');
  if (challenge === undefined || method !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthFault('invalid_request', 'PKCE is required: code_challenge with the method S256.');
  const states = query.getAll('state');
  if (states.length > 1 || (states[0] ?? '').length > STATE_LIMIT)
    throw new OAuthFault(
      'invalid_request',
      `state must be sent once, with ${STATE_LIMIT} characters at most.`,
    );
  if ((readOnce(query, 'prompt') ?? '').split(' ').includes('none'))
    throw new OAuthFault('interaction_required', 'A person has to sign in here.');
  checkResource(query, resource);
  return challenge;
}

function onlyRedirect({ redirects }: OAuthClient): string | undefined {
  return redirects.length === 1 ? redirects[0] : undefined;
}
