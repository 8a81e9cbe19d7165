import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import type { ClaimsEncryptor } from './claims-encryptor.ts';
import type { ClientMetadataDocuments } from './client-metadata.ts';
import { OAuthRequestError } from './oauth-request-error.ts';
import { getRedirectUriProblem, isLoopbackRedirect } from './redirect-uri.ts';
import { sanitizeClientName } from './sanitize-client-name.ts';

/** OAuth client: an MCP host that acts for a person. */
export interface OAuthClient {
  readonly id: string;
  /** Chosen by the client and not verified. */
  readonly name: string;
  readonly redirects: readonly string[];
  /** URL of the metadata that its website published, without `https://`; undefined if it registered itself. */
  readonly publishedBy: string | undefined;
}

export interface OAuthClients {
  /**
   * If the metadata document of an app on this computer can't be fetched, the app counts as one that registered itself:
   * anyone can use a loopback redirect, so the document would prove nothing.
   * @throws OAuthRequestError `invalid_client` for an unknown id.
   */
  find(id: string, request?: { redirect: string | undefined; address: string }): Promise<OAuthClient>;
  /** Remembers that a person signed in with the app. */
  keep(id: string): void;
  /** Returns whether apps may use the URL of their metadata as their id. */
  hasDocuments(): Promise<boolean>;
  /** Registers a client (RFC 7591). Its data is encrypted in its id, so that there is no table to fill up. */
  register(metadata: unknown): Promise<JsonObject>;
}

const MAX_REDIRECT_URIS = 12;
const MAX_ID_LENGTH = 6000;
const UNNAMED_CLIENT = 'Unnamed app';

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
    async find(id, { redirect, address } = { redirect: undefined, address: '' }) {
      if (id.startsWith('https://')) {
        const document = await clientMetadata.fetch(id, address).catch((error: unknown) => {
          const isUnreachable = error instanceof OAuthRequestError && error.status === 503;
          if (isUnreachable && redirect !== undefined && isLoopbackRedirect(redirect)) return undefined;
          throw error;
        });
        const { host, hostname, pathname, search } = new URL(id);
        return {
          id,
          name: sanitizeClientName(document?.['client_name']) ?? hostname,
          redirects: document ? parseRedirectUris(document, 'invalid_client') : [redirect ?? ''],
          publishedBy: document && `${host}${pathname}${search}`,
        };
      }
      const claims = id.length > MAX_ID_LENGTH ? undefined : await claimsEncryptor.decrypt('client', id);
      if (!claims)
        throw new OAuthRequestError(
          'invalid_client',
          'This client_id is unknown, or its secret was removed. Register again.',
          401,
        );
      const redirects = claims['redirects'];
      return {
        id,
        name: sanitizeClientName(claims['name']) ?? UNNAMED_CLIENT,
        redirects: Array.isArray(redirects) ? redirects.filter((redirect) => typeof redirect === 'string') : [],
        publishedBy: undefined,
      };
    },
    keep: (id) => clientMetadata.keep(id),
    hasDocuments: () => clientMetadata.isOffered(),
    async register(metadata) {
      if (!isObject(metadata))
        throw new OAuthRequestError('invalid_client_metadata', 'Send the metadata as a JSON object (RFC 7591).');
      const redirects = parseRedirectUris(metadata, 'invalid_redirect_uri');
      const name = sanitizeClientName(metadata['client_name']);
      const id = await claimsEncryptor.encrypt('client', { redirects, ...(name === undefined ? {} : { name }) });
      if (id.length > MAX_ID_LENGTH)
        throw new OAuthRequestError('invalid_redirect_uri', 'The redirect_uris are too long in total.');
      return {
        client_id: id,
        client_id_issued_at: Math.floor(now() / 1000),
        ...(name === undefined ? {} : { client_name: name }),
        redirect_uris: redirects,
        // Other requested values, such as a secret, are not supported.
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
    throw new OAuthRequestError(code, `redirect_uris must contain 1 to ${MAX_REDIRECT_URIS} URLs.`);
  redirects.forEach((redirect, index) => {
    const problem = getRedirectUriProblem(redirect);
    if (problem !== undefined) throw new OAuthRequestError(code, `redirect_uris[${index}] ${problem}.`);
  });
  return [...new Set(redirects as string[])];
}

/** Short hash for tokens, because the id itself may be long. */
export function hashClientId(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 22);
}
