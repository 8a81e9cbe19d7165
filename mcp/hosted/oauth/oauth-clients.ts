import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import type { ClaimsEncryptor } from './claims-encryptor.ts';
import type { ClientMetadataDocuments } from './client-metadata.ts';
import { OAuthRequestError } from './oauth-request-error.ts';
import { getRedirectUriProblem } from './redirect-uri.ts';
import { sanitizeClientName } from './sanitize-client-name.ts';

/** A host that wants to act for a person. */
export interface OAuthClient {
  readonly id: string;
  /** What it calls itself; anybody may call himself anything. */
  readonly name: string;
  readonly redirects: readonly string[];
  /** The website that published its document; undefined where it only registered itself. */
  readonly publishedBy: string | undefined;
}

export interface OAuthClients {
  /** @throws OAuthFault `invalid_client` for an id that is none. */
  find(id: string): Promise<OAuthClient>;
  /** Registers a client (RFC 7591): its data travel sealed in its id, so that there is no table to fill up. */
  register(metadata: unknown): Promise<JsonObject>;
}

const MAX_REDIRECT_URIS = 12;
const MAX_ID_LENGTH = 6000;
const UNNAMED_CLIENT = 'An app without a name';

export function createOAuthClients({
  claimsEncryptor,
  clientMetadata,
  now = Date.now,
}: {
  claimsEncryptor: ClaimsEncryptor;
  clientMetadata: ClientMetadataDocuments;
  now?: () => number;
}): OAuthClients {
  return {
    async find(id) {
      if (id.startsWith('https://')) {
        const document = await clientMetadata.fetch(id);
        return {
          id,
          name: sanitizeClientName(document['client_name']) ?? new URL(id).hostname,
          redirects: parseRedirectUris(document, 'invalid_client'),
          publishedBy: new URL(id).hostname,
        };
      }
      const claims = id.length > MAX_ID_LENGTH ? undefined : await claimsEncryptor.decrypt('client', id);
      if (!claims)
        throw new OAuthRequestError(
          'invalid_client',
          'This server did not give out this client_id, or its secret is gone: register again.',
          401,
        );
      const redirects = claims['redirects'];
      return {
        id,
        name: sanitizeClientName(claims['name']) ?? UNNAMED_CLIENT,
        redirects: Array.isArray(redirects) ? redirects.filter((one) => typeof one === 'string') : [],
        publishedBy: undefined,
      };
    },
    async register(metadata) {
      if (!isObject(metadata))
        throw new OAuthRequestError(
          'invalid_client_metadata',
          'Send the metadata as one JSON object (RFC 7591).',
        );
      const redirects = parseRedirectUris(metadata, 'invalid_redirect_uri');
      const name = sanitizeClientName(metadata['client_name']);
      const id = await claimsEncryptor.encrypt('client', {
        redirects,
        ...(name === undefined ? {} : { name }),
      });
      if (id.length > MAX_ID_LENGTH)
        throw new OAuthRequestError('invalid_redirect_uri', 'The redirect_uris are too long together.');
      return {
        client_id: id,
        client_id_issued_at: Math.floor(now() / 1000),
        ...(name === undefined ? {} : { client_name: name }),
        redirect_uris: redirects,
        // Whatever else was asked for (a secret, other grants): this is what there is.
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      };
    },
  };
}

function parseRedirectUris(metadata: JsonObject, code: string): string[] {
  const redirects = metadata['redirect_uris'];
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > MAX_REDIRECT_URIS)
    throw new OAuthRequestError(code, `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} addresses.`);
  redirects.forEach((redirect, index) => {
    const problem = getRedirectUriProblem(redirect);
    if (problem !== undefined) throw new OAuthRequestError(code, `redirect_uris[${index}] ${problem}.`);
  });
  return [...new Set(redirects as string[])];
}

/** Short enough for a token; the id itself may be long. */
export function hashClientId(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 22);
}
