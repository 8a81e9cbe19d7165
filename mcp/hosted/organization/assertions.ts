import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import { computeHmac } from '../../canonical-json.ts';
import type { SharedState, StateProvider } from '../../state/shared-state.ts';
import { ASSERTION_ALGORITHMS } from '../oauth/oauth-metadata.ts';
import { checkResource } from '../oauth/oauth-parameters.ts';
import { OAuthRequestError } from '../oauth/oauth-request-error.ts';
import type { Organization } from './organization-file.ts';

export const CLOCK_TOLERANCE_S = 60;
/** An assertion is redeemed at once; older ones were stored somewhere. */
const MAX_ASSERTION_AGE_S = 10 * 60;
const JWKS_TIMEOUT_MS = 5000;
const MAX_JWKS_BYTES = 1024 * 1024;

/** The employee behind an app, according to the identity provider. */
interface Employee {
  /** Keyed hash that identifies the person across sign-ins: nobody can find it by trying names. */
  readonly subject: string;
  readonly groups: readonly string[];
  /** Scopes that the identity provider grants; undefined if it leaves them open. */
  readonly scope: string | undefined;
}

/**
 * Verifies assertions of the organization's identity provider (ID-JAG: an Identity Assertion JWT Authorization Grant).
 * Its keys are cached and fetched again when an assertion names an unknown one.
 */
export function createAssertionVerifier(options: {
  identityProvider: NonNullable<Organization['identity_provider']>;
  issuer: string;
  resource: string;
  state: StateProvider;
  now: () => number;
}) {
  const { identityProvider, issuer, resource, state, now } = options;
  const audiences = [issuer, `${issuer}/`];
  const keys = createRemoteJWKSet(new URL(identityProvider.jwks_url), {
    timeoutDuration: JWKS_TIMEOUT_MS,
    [customFetch]: fetchKeys,
  });

  async function verify(assertion: string) {
    try {
      const { payload } = await jwtVerify<Record<'sub' | 'jti', string>>(assertion, keys, {
        issuer: identityProvider.issuer,
        audience: audiences,
        typ: 'oauth-id-jag+jwt',
        algorithms: ASSERTION_ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_S,
        maxTokenAge: MAX_ASSERTION_AGE_S,
        currentDate: new Date(now()),
        requiredClaims: ['sub', 'jti', 'exp', 'iat', 'client_id', 'resource'],
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
        throw createGrantError(`The assertion can't be used: ${error.message}.`);
      if (isSignatureProblem(error)) throw createGrantError('The assertion is not signed by the identity provider.');
      throw new OAuthRequestError(
        'temporarily_unavailable',
        "The identity provider's keys could not be fetched. Try again in a few seconds.",
        503,
      );
    }
  }

  return {
    /** @throws OAuthRequestError `invalid_grant` if it is forged, expired, replayed, or meant for another app or server */
    async verify(assertion: string, clientId: string): Promise<Employee> {
      const payload = await verify(assertion);
      for (const claim of ['sub', 'jti'] as const)
        if (typeof payload[claim] !== 'string' || payload[claim].trim() === '')
          throw createGrantError(`The claim ${claim} of the assertion must be a text.`);
      if (payload['client_id'] !== clientId) throw createGrantError('The assertion was issued to another app.');
      // One that another server accepts too could be used here by that server.
      if ([payload.aud].flat().some((audience) => !audiences.includes(String(audience))))
        throw createGrantError('The assertion is also meant for another server.');
      const resources = [payload['resource']].flat().map((value) => ['resource', String(value) || 'none']);
      if (resources.length === 0) throw createGrantError('The assertion names no resource.');
      checkResource(new URLSearchParams(resources), resource);
      const exp = Math.min(payload.exp ?? 0, (payload.iat ?? 0) + MAX_ASSERTION_AGE_S);
      const sharedState = await state();
      if (!(await consumeAssertion(sharedState, { ...payload, exp })))
        throw createGrantError('The assertion was already used.');
      const groups = payload[identityProvider.groups_claim];
      const { scope } = payload;
      return {
        subject: computeHmac(sharedState.secret, `subject\n${payload.iss}\n${payload.sub}`).slice(0, 16),
        groups: [groups].flat().filter((group) => typeof group === 'string'),
        scope: scope === undefined ? undefined : [scope].flat().join(' '),
      };
    },
  };
}

/** Records that an assertion was used. Returns false if it was used before, here or on another replica. */
export async function consumeAssertion(state: SharedState, { iss, jti, exp }: JWTPayload): Promise<boolean> {
  const name = createHash('sha256').update(`${iss}\n${jti}`).digest('base64url');
  const until = ((exp ?? 0) + CLOCK_TOLERANCE_S) * 1000;
  return (await state.putIfAbsent(`assertion ${name}`, {}, until)) === undefined;
}

/** Fetches the keys without following redirects, and stops reading when they are too long. */
async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
  const { status, body } = await fetch(url, { ...init, redirect: 'error' });
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > MAX_JWKS_BYTES) controller.error(new Error('The keys are too long'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(limit), { status });
}

const createGrantError = (message: string) => new OAuthRequestError('invalid_grant', message);

/** Returns whether the assertion is at fault, and not the fetch of the keys. */
function isSignatureProblem(error: unknown): boolean {
  return [
    errors.JWSInvalid,
    errors.JWTInvalid,
    errors.JWSSignatureVerificationFailed,
    errors.JWKSNoMatchingKey,
    errors.JWKSMultipleMatchingKeys,
    errors.JOSEAlgNotAllowed,
    errors.JOSENotSupported,
  ].some((kind) => error instanceof kind);
}
