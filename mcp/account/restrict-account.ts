import { type AnyMethod, getMethod } from '../../src/get-method.ts';
import { type Client, type OperationName, operations } from '../../src/index.ts';
import { getOperation } from '../../src/operations/index.ts';
import { SCOPES, type Scope } from '../../src/scopes.ts';
import { ToolError } from '../tool-error.ts';
import type { Account } from './account.ts';

const restrictedAccounts = new WeakMap<Account, Map<string, Account>>();

/**
 * The same account for someone who may use only a part of its key: the service would let him do more, so that every
 * operation is checked here, whichever tool, resource or completion calls it.
 */
export function restrictAccount(account: Account, scopes: readonly Scope[]): Account {
  const byScopes = restrictedAccounts.get(account) ?? new Map<string, Account>();
  restrictedAccounts.set(account, byScopes);
  const name = [...scopes].sort().join(' ');
  const existing = byScopes.get(name);
  if (existing) return existing;
  let client: Promise<Client> | undefined;
  const restricted: Account = {
    ...account,
    keyStatus: restrictKeyStatus(account, scopes),
    client: () => {
      client ??= account.client().then((fullClient) => restrictClient(fullClient, scopes));
      // What failed is tried again, as for the whole account.
      client.catch(() => {
        client = undefined;
      });
      return client;
    },
  };
  byScopes.set(name, restricted);
  return restricted;
}

/** Others may use the same key for more: what they saw of it is nobody else's business. */
function restrictKeyStatus({ keyStatus }: Account, allowedScopes: readonly Scope[]): Account['keyStatus'] {
  return {
    ...keyStatus,
    scopes() {
      const { granted, denied } = keyStatus.scopes();
      const deniedScopes = SCOPES.filter((scope) => !allowedScopes.includes(scope) || denied.includes(scope));
      return { granted: granted.filter((scope) => allowedScopes.includes(scope)), denied: deniedScopes };
    },
  };
}

function restrictClient(client: Client, scopes: readonly Scope[]): Client {
  const requireScope = (name: OperationName) => {
    const { scope } = getOperation(name);
    if (!scopes.includes(scope))
      throw new ToolError(
        'not_allowed',
        `The person who signed in did not allow this: it needs ${scope}. Nothing was done. They can sign in again and tick it.`,
        { scope },
      );
  };
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
  const restrictedClient: Client = {
    ...client,
    ...(groups as Pick<Client, (typeof operations)[number]['group']>),
    request: async () => {
      throw new ToolError('not_allowed', 'The person who signed in allowed named operations only.');
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
  return restrictedClient;
}
