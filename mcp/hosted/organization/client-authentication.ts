import { createHash, timingSafeEqual } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import type { StateProvider } from '../../state/shared-state.ts';
import { ASSERTION_ALGORITHMS } from '../oauth/oauth-metadata.ts';
import { getSingleParameter, type TokenRequest } from '../oauth/oauth-parameters.ts';
import { OAuthRequestError } from '../oauth/oauth-request-error.ts';
import { CLOCK_TOLERANCE_S, consumeAssertion } from './assertions.ts';
import type { OrganizationAgent, OrganizationApp } from './organization-file.ts';

const MAX_CLIENT_ASSERTION_TTL_MS = 60 * 60_000;
const JWT_ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Authenticates apps and agents of the organization by secret, by key pair, or, for public apps, not at all. */
export function createClientAuthentication(options: { issuer: string; state: StateProvider; now: () => number }) {
  const { issuer, state, now } = options;

  async function verifyAssertion(client: OrganizationApp | OrganizationAgent, assertion: string): Promise<boolean> {
    if (!client.jwks) return false;
    try {
      const { payload } = await jwtVerify(assertion, createLocalJWKSet(client.jwks as unknown as JSONWebKeySet), {
        issuer: client.client_id,
        subject: client.client_id,
        audience: [issuer, `${issuer}/`, `${issuer}/token`],
        algorithms: ASSERTION_ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: new Date(now()),
        requiredClaims: ['exp', 'jti'],
      });
      // Used ones are stored until they expire.
      if ((payload.exp ?? 0) * 1000 > now() + MAX_CLIENT_ASSERTION_TTL_MS) return false;
      return await consumeAssertion(await state(), payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return false;
      throw error;
    }
  }

  return {
    /** @throws OAuthRequestError `invalid_client` if the client is unknown or doesn't prove who it is */
    async authenticate<Client extends OrganizationApp | OrganizationAgent>(
      clients: readonly Client[],
      { form, authorization }: TokenRequest,
    ): Promise<Client> {
      const basic = parseBasic(authorization);
      const assertion = getSingleParameter(form, 'client_assertion');
      const isJwt = getSingleParameter(form, 'client_assertion_type') === JWT_ASSERTION && assertion !== undefined;
      const id = basic?.id ?? getSingleParameter(form, 'client_id') ?? (isJwt ? getSubject(assertion) : undefined);
      const secrets = basic?.secrets ?? [getSingleParameter(form, 'client_secret')];
      const client = clients.find(({ client_id }) => client_id === id);
      const isPublic = client?.secret === undefined && client?.jwks === undefined;
      const isProven =
        client !== undefined &&
        (isPublic ||
          (isJwt ? await verifyAssertion(client, assertion) : secrets.some((secret) => isSame(secret, client.secret))));
      if (!isProven)
        throw new OAuthRequestError('invalid_client', 'The client is unknown, or its credentials are wrong.', 401);
      return client;
    },
  };
}

/** The secret as it was sent, and decoded: many clients send it without encoding, and base64 has `+`. */
function parseBasic(header: string | undefined): { id: string; secrets: readonly string[] } | undefined {
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [, id = '', secret = ''] = /^([^:]*):?(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return { id: decodeFormText(id), secrets: [secret, decodeFormText(secret)] };
}

/** RFC 6749 §2.3.1: both parts are form-encoded before base64. */
function decodeFormText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function getSubject(assertion: string): string | undefined {
  try {
    return decodeJwt(assertion).sub;
  } catch {
    return undefined;
  }
}

function isSame(actual: string | undefined, expected: string | undefined): boolean {
  if (actual === undefined || expected === undefined) return false;
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(actual), hash(expected));
}
