import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  createMcpHandler,
  type McpServerFactory,
  OAuthError,
  OAuthErrorCode,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';
import type { Account } from '../account/account.ts';
import { restrictAccount } from '../account/restrict-account.ts';
import type { Workspace } from '../account/workspaces.ts';
import { setBounded } from '../bounded-map.ts';
import { removeKeepAlive } from '../server/connection-header.ts';
import { readJsonBody } from '../server/json-body.ts';
import { createServerFactory } from '../server-factory.ts';
import { ToolError } from '../tool-error.ts';
import type { HostedContext } from './hosted-context.ts';
import type { HostedRequest } from './monitoring/monitoring.ts';
import { isKeyRejected } from './oauth/check-key.ts';
import { type Grant, getSignInId } from './oauth/tokens.ts';
import { getConfirmModes } from './pages/consent-page.ts';
import { createUserPagesForGrant } from './user-pages.ts';

export interface McpEndpoint {
  fetch(hostedRequest: HostedRequest): Promise<Response>;
  close(): Promise<void>;
}

const MAX_TRACKED_KEYS = 10_000;
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/**
 * Creates `/mcp`. Each request carries its own token and there is no session, so any replica can respond. The
 * toolset, the client and the confirmation mode follow the grant.
 */
export function createMcpEndpoint(hostedContext: HostedContext): McpEndpoint {
  const { dependencies, scopeCatalog, grants, tokens, monitoring, issuer, userPageStores } = hostedContext;
  const { accounts, services, log } = dependencies;
  const challenge = {
    // All scopes at once: many hosts never ask for more later, and the user can deselect some.
    requiredScopes: [...scopeCatalog.scopes],
    resourceMetadataUrl: `${issuer}/.well-known/oauth-protected-resource/mcp`,
  };

  // Keys seen in a token. Anything else typed into a form is not stored.
  const activeKeys = new Map<string, true>();
  const keysBeingChecked = new Set<string>();

  /** One rejection may concern one endpoint only, so the key is tried once more before its sign-ins end. */
  async function handleRejectedKey(account: Account, key: string): Promise<void> {
    if (!(await isKeyRejected(account, scopeCatalog.scopes))) return;
    activeKeys.delete(account.fingerprint);
    await grants.rejectKey(key);
  }
  accounts.onKeyRejected((account) => {
    const { fingerprint, secrets } = account;
    const [key] = secrets;
    if (key === undefined || !activeKeys.has(fingerprint) || keysBeingChecked.has(fingerprint)) return;
    keysBeingChecked.add(fingerprint);
    handleRejectedKey(account, key)
      .catch(() => log.warn('grants_unwritable', {}))
      .finally(() => keysBeingChecked.delete(fingerprint));
  });

  /** If the state is unavailable, a valid token is still accepted, so that reads continue. */
  async function isRevoked(grant: Grant): Promise<boolean> {
    try {
      return await grants.isRevoked(grant);
    } catch {
      log.warn('grants_unreadable', {});
      return false;
    }
  }

  async function verifyAccessToken(token: string): Promise<AuthInfo> {
    const opened = await tokens.decryptAccessToken(token);
    if (!opened || (await isRevoked(opened.grant)))
      throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is unknown, expired or revoked');
    const { grant, expiresAt } = opened;
    return { token, clientId: grant.client, scopes: [...grant.scopes], expiresAt, extra: { grant } };
  }

  function getGrant(auth: AuthInfo | undefined): Grant {
    const grant = auth?.extra?.['grant'];
    if (!tokens.isGrant(grant)) throw new Error('Request without a grant');
    return grant;
  }

  /** The account of a key of this grant, restricted to its scopes. */
  function getAccount({ scopes, subject }: Grant, key: string): Account {
    const fullAccount = accounts.get(key);
    const restricted = restrictAccount(fullAccount, scopes);
    setBounded(activeKeys, MAX_TRACKED_KEYS, [fullAccount.fingerprint, true]);
    return subject === undefined ? restricted : { ...restricted, subject };
  }

  /** A workspace whose key was rejected ends alone: the others of the sign-in continue. */
  function getWorkspaceAccount(grant: Grant, { name, apiKey }: Workspace): Account {
    const account = getAccount(grant, apiKey);
    return {
      ...account,
      async client() {
        if (await grants.isKeyRejected(apiKey).catch(() => false))
          throw new ToolError(
            'authentication_failed',
            `Docshare no longer accepts the key of the workspace ${name}. Nothing was done, and no other workspace was used. The user can sign in again with a new key for ${name}.`,
          );
        return account.client();
      },
    };
  }

  const factory: McpServerFactory = (context) => {
    const grant = getGrant(context.authInfo);
    const toolset = scopeCatalog.getToolset(grant);
    // The server may have been started with a stricter mode since the sign-in.
    const confirm = getConfirmModes(services.confirm).find((mode) => mode === grant.confirm) ?? services.confirm;
    const { key = '', workspaces = [] } = grant;
    const workspaceAccounts = new Map(workspaces.map((item) => [item.apiKey, getWorkspaceAccount(grant, item)]));
    const onlyAccount = workspaces.length === 0 ? getAccount(grant, key) : undefined;
    const build = createServerFactory({
      tools: toolset.tools,
      calledTool: getCalledTool(context.authInfo),
      // In a sign-in with several workspaces, an unknown key reaches none of them.
      accounts: {
        ...accounts,
        get: (apiKey) => onlyAccount ?? workspaceAccounts.get(apiKey ?? '') ?? accounts.get(undefined),
      },
      apiKey: grant.key,
      workspaces,
      userPages: createUserPagesForGrant(userPageStores, { grant, dependencies }),
      services: {
        ...services,
        observeCall: monitoring.observe,
        confirm,
        mode: {
          ...services.mode,
          readOnly: services.mode.readOnly || grant.readOnly,
          confirm,
          readableGroups: toolset.readableGroups,
          ...(workspaces.length > 0 ? { workspaces: workspaces.map(({ name }) => name) } : {}),
        },
      },
      missingScopes(tool) {
        const [first, ...more] = toolset.getMissingScopes(tool);
        return first && [first, ...grant.scopes, ...more];
      },
    });
    return build(context);
  };

  const handler = createMcpHandler(factory, {
    onerror: (error) => log.warn('protocol_error', { message: error.message }),
    maxRequestBodySize: MAX_BODY_BYTES,
  });

  return {
    fetch: (hostedRequest) =>
      monitoring.serve(hostedRequest, async (tracker) => {
        const { request } = hostedRequest;
        let authInfo: AuthInfo;
        try {
          authInfo = await verifyBearerToken(request.headers.get('authorization'), {
            verifier: { verifyAccessToken },
            resourceMetadataUrl: challenge.resourceMetadataUrl,
          });
        } catch (error) {
          return bearerAuthChallengeResponse(error, challenge);
        }
        const rejection = tracker.admitGrant(getSignInId(getGrant(authInfo)));
        if (rejection) return rejection;
        if (request.method !== 'POST') return handler.fetch(request, { authInfo });
        const bodyRejection = tracker.reserveBody(getMaxBodyBytes(request));
        if (bodyRejection) return bodyRejection;
        const read = await readJsonBody(request, MAX_BODY_BYTES);
        if ('errorResponse' in read) return read.errorResponse;
        const { body } = read;
        tracker.recordMethod(body);
        const extra = { ...authInfo.extra, called: parseCalledTool(body), requestContext: tracker.context };
        return removeKeepAlive(await handler.fetch(request, { authInfo: { ...authInfo, extra }, parsedBody: body }));
      }),
    close: () => handler.close(),
  };
}

/** Without a Content-Length, reserves room for the largest body. */
function getMaxBodyBytes(request: Request): number {
  const declaredBytes = Number(request.headers.get('content-length') ?? Number.NaN);
  return declaredBytes >= 0 ? Math.min(declaredBytes, MAX_BODY_BYTES) : MAX_BODY_BYTES;
}

function getCalledTool(auth: AuthInfo | undefined): string | undefined {
  const called = auth?.extra?.['called'];
  return typeof called === 'string' ? called : undefined;
}

function parseCalledTool(body: unknown): string | undefined {
  if (!isObject(body) || body['method'] !== 'tools/call' || !isObject(body['params'])) return undefined;
  const { name } = body['params'];
  return typeof name === 'string' ? name : undefined;
}
