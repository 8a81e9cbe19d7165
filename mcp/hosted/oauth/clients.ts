import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../../src/answer/fields.ts';
import { cleanName } from './clean-name.ts';
import type { ClientDocuments } from './client-document.ts';
import { OAuthFault } from './oauth-fault.ts';
import { redirectFault } from './redirects.ts';
import type { Seals } from './seal.ts';

/** A host that wants to act for a person. */
export interface OAuthClient {
  readonly id: string;
  /** What it calls itself; anybody may call himself anything. */
  readonly name: string;
  readonly redirects: readonly string[];
  /** The website that published its document; undefined where it only registered itself. */
  readonly publishedBy: string | undefined;
}

export interface Clients {
  /** @throws OAuthFault `invalid_client` for an id that is none. */
  find(id: string): Promise<OAuthClient>;
  /** Registers a client (RFC 7591): its data travel sealed in its id, so that there is no table to fill up. */
  register(metadata: unknown): Promise<JsonObject>;
}

const REDIRECTS_LIMIT = 12;
const ID_LIMIT = 6000;
const NAMELESS = 'An app without a name';

export function createClients({
  seals,
  documents,
  now = Date.now,
}: {
  seals: Seals;
  documents: ClientDocuments;
  now?: () => number;
}): Clients {
  return {
    async find(id) {
      if (id.startsWith('https://')) {
        const document = await documents.fetch(id);
        return {
          id,
          name: cleanName(document['client_name']) ?? new URL(id).hostname,
          redirects: parseRedirectUris(document, 'invalid_client'),
          publishedBy: new URL(id).hostname,
        };
      }
      const claims = id.length > ID_LIMIT ? undefined : await seals.open('client', id);
      if (!claims)
        throw new OAuthFault(
          'invalid_client',
          'This server did not give out this client_id, or its secret is gone: register again.',
          401,
        );
      const redirects = claims['redirects'];
      return {
        id,
        name: cleanName(claims['name']) ?? NAMELESS,
        redirects: Array.isArray(redirects) ? redirects.filter((one) => typeof one === 'string') : [],
        publishedBy: undefined,
      };
    },
    async register(metadata) {
      if (!isObject(metadata))
        throw new OAuthFault('invalid_client_metadata', 'Send the metadata as one JSON object (RFC 7591).');
      const redirects = parseRedirectUris(metadata, 'invalid_redirect_uri');
      const name = cleanName(metadata['client_name']);
      const id = await seals.seal('client', { redirects, ...(name === undefined ? {} : { name }) });
      if (id.length > ID_LIMIT)
        throw new OAuthFault('invalid_redirect_uri', 'The redirect_uris are too long together.');
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
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > REDIRECTS_LIMIT)
    throw new OAuthFault(code, `redirect_uris must be a list of 1 to ${REDIRECTS_LIMIT} addresses.`);
  redirects.forEach((redirect, index) => {
    const fault = redirectFault(redirect);
    if (fault !== undefined) throw new OAuthFault(code, `redirect_uris[${index}] ${fault}.`);
  });
  return [...new Set(redirects as string[])];
}

/** Short enough for a token; the id itself may be long. */
export function clientHash(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 22);
}
