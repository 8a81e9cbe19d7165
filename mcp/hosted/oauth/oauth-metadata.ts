import type { Scope } from '../../../src/scopes.ts';

/**
 * Authorization server metadata (RFC 8414).
 * @param options.hasDocuments true if clients may use the URL of their metadata as `client_id`.
 */
export function getAuthorizationServerMetadata(
  issuer: string,
  { scopes, hasDocuments }: { scopes: readonly Scope[]; hasDocuments: boolean },
) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
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
