import type { Scope } from '../../../src/scopes.ts';

const ORGANIZATION_AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

/** Asymmetric only: nobody but the signer can create such a signature. */
export const ASSERTION_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'];

/**
 * Authorization server metadata (RFC 8414).
 * @param options.hasDocuments true if clients may use the URL of their metadata as `client_id`
 * @param options.organization grant types of an organization whose employees and agents sign in without a page
 */
export function getAuthorizationServerMetadata(
  issuer: string,
  options: {
    scopes: readonly Scope[];
    hasDocuments: boolean;
    organization?: { readonly grantTypes: readonly string[]; readonly hasAssertions: boolean } | undefined;
  },
) {
  const { scopes, hasDocuments, organization } = options;
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', ...(organization?.grantTypes ?? [])],
    token_endpoint_auth_methods_supported: ['none', ...(organization ? ORGANIZATION_AUTH_METHODS : [])],
    ...(organization ? { token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS } : {}),
    ...(organization?.hasAssertions
      ? { authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'] }
      : {}),
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: hasDocuments,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${issuer}/`,
  };
}

/** Protected resource metadata (RFC 9728). */
export function getProtectedResourceMetadata(issuer: string, resource: string, scopes: readonly Scope[]) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Docshare',
    resource_documentation: `${issuer}/`,
  };
}
