import { OAuthRequestError } from './oauth-request-error.ts';

/** A token request: its form, and the header of clients that authenticate with `client_secret_basic`. */
export interface TokenRequest {
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
}

/**
 * Returns a parameter; an empty one counts as missing (RFC 6749 §3.1). @throws OAuthRequestError if it was sent twice.
 */
export function getSingleParameter(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name);
  if (values.length > 1) throw new OAuthRequestError('invalid_request', `${name} was sent more than once.`);
  return values[0] || undefined;
}

/** @throws OAuthRequestError if the parameter is missing or was sent twice. */
export function getRequiredParameter(form: URLSearchParams, name: string): string {
  const value = getSingleParameter(form, name);
  if (value === undefined) throw new OAuthRequestError('invalid_request', `${name} is missing.`);
  return value;
}

/**
 * Checks the requested resource (RFC 8707): this server's endpoint or origin, the default if missing.
 * @throws OAuthRequestError `invalid_target` for another server.
 */
export function checkResource(form: URLSearchParams, resource: string): void {
  const validResources = [resource, new URL(resource).origin].flatMap((url) => [url, `${url}/`]);
  for (const requested of form.getAll('resource')) {
    const plain = URL.canParse(requested) ? new URL(requested).href : requested;
    if (requested !== '' && !validResources.includes(plain))
      throw new OAuthRequestError('invalid_target', `This server issues tokens for ${resource} only.`);
  }
}
