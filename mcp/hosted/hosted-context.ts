import type { HostedDependencies } from '../server/assemble-server.ts';
import type { HostedSettings } from './hosted-settings.ts';
import type { Monitoring } from './monitoring/monitoring.ts';
import { createAuthorizationCodes } from './oauth/authorization-codes.ts';
import { createClaimsEncryptor } from './oauth/claims-encryptor.ts';
import {
  type ClientMetadataDocuments,
  createClientMetadataDocuments,
  NO_CLIENT_DOCUMENTS,
} from './oauth/client-metadata.ts';
import { createGrants } from './oauth/grants.ts';
import { createOAuthClients } from './oauth/oauth-clients.ts';
import { createScopeCatalog } from './oauth/scope-selection.ts';
import { createTokens } from './oauth/tokens.ts';
import type { Organization } from './organization/organization-file.ts';
import { createOrganizationSignIn } from './organization/organization-sign-in.ts';
import { createUserPageStores } from './user-pages.ts';

/** Settings and services that all routes of a hosted server use. */
export type HostedContext = ReturnType<typeof createHostedContext>;

export interface HostedContextOptions {
  readonly settings: HostedSettings;
  readonly dependencies: HostedDependencies;
  readonly monitoring: Monitoring;
  readonly issuer: string;
  readonly clientMetadata?: ClientMetadataDocuments;
  readonly organization?: Organization | undefined;
  readonly now?: () => number;
}

export function createHostedContext({
  settings,
  dependencies,
  monitoring,
  issuer,
  clientMetadata,
  organization,
  now = Date.now,
}: HostedContextOptions) {
  const { command, accounts, services, scopes, catalog } = dependencies;
  const resource = `${issuer}/mcp`;
  const { state } = services;
  const { accessTtlMs, refreshTtlMs } = settings;
  const claimsEncryptor = createClaimsEncryptor({ secrets: dependencies.secrets, issuer, audience: resource, now });
  const grants = createGrants({ state, claimsEncryptor, ttlMs: refreshTtlMs, now });
  const tokens = createTokens({ claimsEncryptor, grants, accessTtlMs, refreshTtlMs, now });
  const scopeCatalog = createScopeCatalog({ ...command, scopes, catalog });
  return {
    /** Public URL, and the issuer of tokens. */
    issuer,
    /** URL of the MCP endpoint: the audience of tokens. */
    resource,
    settings,
    dependencies,
    monitoring,
    accounts,
    scopeCatalog,
    claimsEncryptor,
    clients: createOAuthClients({
      claimsEncryptor,
      clientMetadata: command.noClientDocuments
        ? NO_CLIENT_DOCUMENTS
        : (clientMetadata ?? createClientMetadataDocuments({ state, now })),
      now,
    }),
    codes: createAuthorizationCodes({ state, claimsEncryptor, grants, now }),
    grants,
    tokens,
    /** Undefined without `--organization`. */
    organizationSignIn:
      organization &&
      createOrganizationSignIn({
        organization,
        issuer,
        resource,
        accounts,
        grants,
        tokens,
        scopeCatalog,
        command,
        state,
        now,
      }),
    userPageStores: createUserPageStores({ dependencies, issuer, now }),
    now,
  };
}
