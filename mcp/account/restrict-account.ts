import { type AnyMethod, getMethod } from '../../src/get-method.ts';
import { type OperationName, operations } from '../../src/index.ts';
import type { OpenClient } from '../../src/open-client.ts';
import { getOperation } from '../../src/operations/index.ts';
import { SCOPES, type Scope } from '../../src/scopes.ts';
import { setBounded } from '../bounded-map.ts';
import { ToolError } from '../tool-error.ts';
import type { Account } from './account.ts';

/** Per key. A sign-in may ask for any part of its scopes. */
const MAX_RESTRICTED_ACCOUNTS = 100;
const restrictedAccounts = new WeakMap<Account, Map<string, Account>>();

/**
 * Restricts an account to some scopes of its key. The service would allow more, so every operation is checked here,
 * whichever tool, resource or completion calls it.
 */
export function restrictAccount(account: Account, scopes: readonly Scope[]): Account {
  const byScopes = restrictedAccounts.get(account) ?? new Map<string, Account>();
  restrictedAccounts.set(account, byScopes);
  const name = [...scopes].sort().join(' ');
  const existing = byScopes.get(name);
  if (existing) return existing;
  let client: Promise<OpenClient> | undefined;
  const restricted: Account = {
    ...account,
    keyStatus: restrictKeyStatus(account, scopes),
    client: () => {
      client ??= account.client().then((fullClient) => restrictClient(fullClient, scopes));
      // A failure is not cached.
      client.catch(() => {
        client = undefined;
      });
      return client;
    },
  };
  setBounded(byScopes, MAX_RESTRICTED_ACCOUNTS, [name, restricted]);
  return restricted;
}

/** Hides what other users of the same key found out about other scopes. */
function restrictKeyStatus({ keyStatus }: Account, allowedScopes: readonly Scope[]): Account['keyStatus'] {
  return {
    ...keyStatus,
    scopes() {
      const { granted, denied } = keyStatus.scopes();
      const deniedScopes = SCOPES.filter((scope) => !allowedScopes.includes(scope) || denied.includes(scope));
      return { granted: granted.filter((scope) => allowedScopes.includes(scope)), denied: deniedScopes };
    },
    requireScope(scope) {
      requireAllowed(scope, allowedScopes);
      keyStatus.requireScope(scope);
    },
  };
}

/** @throws ToolError for a scope that was not allowed at sign-in */
function requireAllowed(scope: Scope, allowedScopes: readonly Scope[]): void {
  if (!allowedScopes.includes(scope))
    throw new ToolError(
      'not_allowed',
      `This needs ${scope}, which was not allowed at sign-in. Nothing was done. The user can sign in again and select it.`,
      { scope },
    );
}

function restrictClient(client: OpenClient, scopes: readonly Scope[]): OpenClient {
  const requireScope = (name: OperationName) => requireAllowed(getOperation(name).scope, scopes);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { name, group } of operations) {
    const key = name.slice(group.length + 1);
    groups[group] ??= {};
    Object.assign(groups[group], {
      [key]: (...args: Parameters<AnyMethod>) => {
        requireScope(name);
        return getMethod(client, name)(...args);
      },
    });
  }
  return {
    ...client,
    ...(groups as Pick<OpenClient, (typeof operations)[number]['group']>),
    request: async () => {
      throw new ToolError('not_allowed', 'Raw requests were not allowed at sign-in.');
    },
    upload: async (source, options) => {
      requireScope('documents.startUpload');
      return client.upload(source, options);
    },
    finalizeUpload: async (pending, options) => {
      requireScope('documents.finalizeUpload');
      return client.finalizeUpload(pending, options);
    },
  };
}
