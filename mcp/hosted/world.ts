import type { Accounts } from '../account/account.ts';
import type { HostedParts } from '../start/start.ts';
import { type ClientDocuments, createClientDocuments } from './oauth/client-document.ts';
import { type Clients, createClients } from './oauth/clients.ts';
import { type Codes, createCodes } from './oauth/codes.ts';
import { createGrants, type Grants } from './oauth/grants.ts';
import { createOffers, type Offers } from './oauth/narrowing.ts';
import { createSeals, type Seals } from './oauth/seal.ts';
import { createTokens, type Tokens } from './oauth/tokens.ts';
import type { Operations } from './operations/operations.ts';
import { createPeople, type People } from './people.ts';
import type { HostedSettings } from './settings.ts';

/** What all routes of a hosted server stand on. */
export interface HostedWorld {
  /** The public address; also the name under which tokens are given out. */
  readonly issuer: string;
  /** The MCP endpoint: what tokens are good for. */
  readonly resource: string;
  readonly settings: HostedSettings;
  readonly parts: HostedParts;
  readonly operations: Operations;
  readonly accounts: Accounts;
  readonly offers: Offers;
  readonly seals: Seals;
  readonly clients: Clients;
  readonly codes: Codes;
  readonly grants: Grants;
  readonly tokens: Tokens;
  readonly people: People;
  now(): number;
}

export interface WorldOptions {
  readonly settings: HostedSettings;
  readonly parts: HostedParts;
  readonly operations: Operations;
  readonly issuer: string;
  readonly documents?: ClientDocuments;
  readonly now?: () => number;
}

export function createWorld({
  settings,
  parts,
  operations,
  issuer,
  documents,
  now = Date.now,
}: WorldOptions): HostedWorld {
  const { command, accounts, services, scopes, listed } = parts;
  const resource = `${issuer}/mcp`;
  const { state } = services;
  const { accessTtlMs, refreshTtlMs } = settings;
  const seals = createSeals({ secrets: parts.secrets, issuer, audience: resource, now });
  const grants = createGrants({ state, seals, lifetimeMs: refreshTtlMs, now });
  return {
    issuer,
    resource,
    settings,
    parts,
    operations,
    accounts,
    offers: createOffers({ ...command, scopes, listed }),
    seals,
    clients: createClients({ seals, documents: documents ?? createClientDocuments({ now }), now }),
    codes: createCodes({ state, seals, grants, now }),
    grants,
    tokens: createTokens({ seals, grants, accessTtlMs, refreshTtlMs, now }),
    people: createPeople({ parts, issuer, now }),
    now,
  };
}
