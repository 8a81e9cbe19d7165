import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  createMcpHandler,
  type McpServerFactory,
  OAuthError,
  OAuthErrorCode,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import { isObject } from '../../src/answer/fields.ts';
import { restrictAccount } from '../account/narrowed-account.ts';
import { createServerFactory } from '../server.ts';
import { endingCancelled } from '../start/call-streams.ts';
import { withoutKeepAlive } from '../start/connection-header.ts';
import { readBody } from '../start/http-body.ts';
import type { HostedParts } from '../start/start.ts';
import type { Grants } from './oauth/grants.ts';
import type { Offers } from './oauth/narrowing.ts';
import type { Grant, Tokens } from './oauth/tokens.ts';
import type { Asked, Operations } from './operations/operations.ts';
import { createGrantPages, type People } from './people.ts';

export interface McpEndpoint {
  fetch(asked: Asked): Promise<Response>;
  close(): Promise<void>;
}

const KEYS_KEPT = 10_000;
const MCP_BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * `/mcp`: each request by its own token, with no session, so that any replica answers it. The menu, the client and how
 * acts are confirmed follow the grant.
 */
export function createMcpEndpoint(options: {
  parts: HostedParts;
  offers: Offers;
  grants: Grants;
  tokens: Tokens;
  operations: Operations;
  issuer: string;
  people: People;
}): McpEndpoint {
  const { parts, offers, grants, tokens, operations, issuer, people } = options;
  const { accounts, services, log } = parts;
  const challenge = {
    // All of the menu at once: many hosts never ask for more later, and a person can untick.
    requiredScopes: [...offers.scopes],
    resourceMetadataUrl: `${issuer}/.well-known/oauth-protected-resource/mcp`,
  };

  // Keys that were seen in a token: whatever else is typed into a form is no key, and leaves nothing behind.
  const inUse = new Set<string>();
  accounts.onKeyRejected(({ fingerprint, secrets: [key] }) => {
    if (key === undefined || !inUse.delete(fingerprint)) return;
    grants.refuse(key).catch(() => log.warn('grants_unwritable', {}));
  });

  /** A state that is away says nothing against a sealed token: reads go on. */
  async function isEnded(grant: Grant): Promise<boolean> {
    try {
      return await grants.isEnded(grant);
    } catch {
      log.warn('grants_unreadable', {});
      return false;
    }
  }

  async function verifyAccessToken(token: string): Promise<AuthInfo> {
    const opened = await tokens.openAccess(token);
    if (!opened || (await isEnded(opened.grant)))
      throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is unknown, expired or revoked');
    const { grant, expiresAt } = opened;
    return { token, clientId: grant.client, scopes: [...grant.scopes], expiresAt, extra: { grant } };
  }

  function getGrant(auth: AuthInfo | undefined): Grant {
    const grant = auth?.extra?.['grant'];
    if (!tokens.isGrant(grant)) throw new Error('A request of nobody');
    return grant;
  }

  const factory: McpServerFactory = (context) => {
    const grant = getGrant(context.authInfo);
    const menu = offers.menuFor(grant);
    const whole = accounts.get(grant.key);
    const account = restrictAccount(whole, grant.scopes);
    const [first] = inUse;
    if (inUse.size >= KEYS_KEPT && first !== undefined) inUse.delete(first);
    inUse.add(whole.fingerprint);
    const build = createServerFactory({
      tools: menu.tools,
      calledTool: getCalledTool(context.authInfo),
      accounts: { ...accounts, get: () => account },
      apiKey: grant.key,
      userPages: createGrantPages(people, { grant, parts }),
      services: {
        ...services,
        observeCall: operations.observe,
        confirm: grant.confirm,
        mode: {
          ...services.mode,
          readOnly: services.mode.readOnly || grant.readOnly,
          confirm: grant.confirm,
          readableGroups: menu.reach,
        },
      },
      missingScopes(tool) {
        const [first, ...more] = menu.missing(tool);
        return first && [first, ...grant.scopes, ...more];
      },
    });
    return build(context);
  };

  const handler = createMcpHandler(endingCancelled(factory), {
    onerror: (error) => log.warn('protocol_error', { message: error.message }),
    maxRequestBodySize: MCP_BODY_LIMIT_BYTES,
  });

  return {
    fetch: (asked) =>
      operations.serve(asked, async (visit) => {
        const { request } = asked;
        let authInfo: AuthInfo;
        try {
          authInfo = await verifyBearerToken(request.headers.get('authorization'), {
            verifier: { verifyAccessToken },
            resourceMetadataUrl: challenge.resourceMetadataUrl,
          });
        } catch (error) {
          return bearerAuthChallengeResponse(error, challenge);
        }
        const refused = visit.admit(getGrant(authInfo).id);
        if (refused) return refused;
        if (request.method !== 'POST') return handler.fetch(request, { authInfo });
        const full = visit.hold(getMaxBodyBytes(request));
        if (full) return full;
        const read = await readBody(request, MCP_BODY_LIMIT_BYTES);
        if ('refused' in read) return read.refused;
        const { body } = read;
        visit.heard(body);
        const extra = { ...authInfo.extra, called: calledIn(body), scene: visit.scene };
        return withoutKeepAlive(
          await handler.fetch(request, { authInfo: { ...authInfo, extra }, parsedBody: body }),
        );
      }),
    close: () => handler.close(),
  };
}

/** A body that does not say how long it is may be as long as any. */
function getMaxBodyBytes(request: Request): number {
  const told = Number(request.headers.get('content-length') ?? Number.NaN);
  return told >= 0 ? Math.min(told, MCP_BODY_LIMIT_BYTES) : MCP_BODY_LIMIT_BYTES;
}

function getCalledTool(auth: AuthInfo | undefined): string | undefined {
  const called = auth?.extra?.['called'];
  return typeof called === 'string' ? called : undefined;
}

/** The one tool that a message calls. */
function calledIn(body: unknown): string | undefined {
  if (!isObject(body) || body['method'] !== 'tools/call' || !isObject(body['params'])) return undefined;
  const { name } = body['params'];
  return typeof name === 'string' ? name : undefined;
}
