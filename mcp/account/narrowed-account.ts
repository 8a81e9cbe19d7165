import { type Client, type OperationName, operations } from '../../src/index.ts';
import { type AnyMethod, getMethod } from '../../src/method-of.ts';
import { getOperation } from '../../src/operations/index.ts';
import { SCOPES, type Scope } from '../../src/scopes.ts';
import { ToolError } from '../tool-error.ts';
import type { Account } from './account.ts';

const known = new WeakMap<Account, Map<string, Account>>();

/**
 * The same account for someone who may use only a part of its key: the service would let him do more, so that every
 * operation is checked here, whichever tool, resource or completion calls it.
 */
export function narrowedAccount(account: Account, scopes: readonly Scope[]): Account {
  const parts = known.get(account) ?? new Map<string, Account>();
  known.set(account, parts);
  const name = [...scopes].sort().join(' ');
  const standing = parts.get(name);
  if (standing) return standing;
  let client: Promise<Client> | undefined;
  const part: Account = {
    ...account,
    sight: narrowedSight(account, scopes),
    client: () => {
      client ??= account.client().then((whole) => narrowedClient(whole, scopes));
      // What failed is tried again, as for the whole account.
      client.catch(() => {
        client = undefined;
      });
      return client;
    },
  };
  parts.set(name, part);
  return part;
}

/** Others may use the same key for more: what they saw of it is nobody else's business. */
function narrowedSight({ sight }: Account, allowed: readonly Scope[]): Account['sight'] {
  return {
    ...sight,
    scopes() {
      const { works, refused } = sight.scopes();
      const others = SCOPES.filter((scope) => !allowed.includes(scope) || refused.includes(scope));
      return { works: works.filter((scope) => allowed.includes(scope)), refused: others };
    },
  };
}

function narrowedClient(client: Client, scopes: readonly Scope[]): Client {
  const check = (name: OperationName) => {
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
        check(name);
        return getMethod(client, name)(...args);
      },
    });
  }
  const narrowed: Client = {
    ...client,
    ...(groups as Pick<Client, (typeof operations)[number]['group']>),
    request: async () => {
      throw new ToolError('not_allowed', 'The person who signed in allowed named operations only.');
    },
    upload: async (source, options) => {
      check('documents.startUpload');
      return client.upload(source, options);
    },
    finalizeUpload: async (pending, options) => {
      check('documents.finalizeUpload');
      return client.finalizeUpload(pending, options);
    },
  };
  return narrowed;
}
