import { OAuthRequestError } from './oauth-request-error.ts';

/** A parameter; an empty one counts as left out (RFC 6749 §3.1). @throws OAuthFault where it was sent twice. */
export function getSingleParameter(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name);
  if (values.length > 1) throw new OAuthRequestError('invalid_request', `${name} was sent more than once.`);
  return values[0] || undefined;
}

/**
 * What a token is asked for (RFC 8707): this server's endpoint, or its origin. Left out, it is this one.
 * @throws OAuthFault `invalid_target` for another server.
 */
export function checkResource(form: URLSearchParams, resource: string): void {
  const validResources = [resource, new URL(resource).origin].flatMap((one) => [one, `${one}/`]);
  for (const requested of form.getAll('resource')) {
    const plain = URL.canParse(requested) ? new URL(requested).href : requested;
    if (requested !== '' && !validResources.includes(plain))
      throw new OAuthRequestError('invalid_target', `This server gives tokens for ${resource} only.`);
  }
}
