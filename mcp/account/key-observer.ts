import { RATE_LIMIT, REMAINING_HEADERS, RESET_HEADERS } from '../../src/assumptions/index.ts';
import { NotFoundError, PermissionError } from '../../src/errors.ts';
import type { Transport } from '../../src/index.ts';
import type { Hooks } from '../../src/request/hooks.ts';
import type { Scope } from '../../src/scopes.ts';
import { RATE_LIMIT_HEADERS } from '../assumptions.ts';
import { setBounded } from '../bounded-map.ts';
import type { BehaviorCache, KeyStatus } from '../tool/key-status.ts';
import { ToolError } from '../tool-error.ts';

const BEHAVIOR_TTL_MS = 10 * 60_000;
const MAX_BEHAVIORS = 500;
const RATE_LIMIT_HEADER_NAMES = [...REMAINING_HEADERS, ...RESET_HEADERS, ...RATE_LIMIT_HEADERS];

/** A `KeyStatus` with the hooks and transport that feed it. */
export interface KeyObserver extends KeyStatus {
  hooks(getScope: (operation: string) => Scope | undefined): Hooks;
  /** Wraps a transport to count requests to the API. */
  observeTransport(transport: Transport): Transport;
}

export function createKeyObserver(baseUrl: string | undefined, now: () => number = Date.now): KeyObserver {
  const base = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const scopeResults = new Map<Scope, boolean>();
  const behaviorCache = createBehaviorCache(now);
  let requestTimes: number[] = [];
  let headers: Record<string, string> = {};

  function getRecentRequests(): number[] {
    requestTimes = requestTimes.filter((at) => at > now() - RATE_LIMIT.windowMs);
    return requestTimes;
  }

  function listScopes(granted: boolean): Scope[] {
    return [...scopeResults].flatMap(([scope, isGranted]) => (isGranted === granted ? [scope] : []));
  }

  return {
    host: base?.host,
    hooks: (getScope) => ({
      onRequestEnd({ operation: name, method, outcome, error, target }) {
        if (target !== 'api') return;
        const scope = getScope(name);
        // Services check the key before they look up the object.
        const isMissingObject = error instanceof NotFoundError && method === 'GET';
        if (scope !== undefined && (outcome === 'succeeded' || isMissingObject)) scopeResults.set(scope, true);
        // After a success, a denial may concern only one object.
        if (error instanceof PermissionError && scopeResults.get(error.scope) !== true) {
          scopeResults.set(error.scope, false);
          behaviorCache.set(error.scope, 'denied');
        }
      },
    }),
    observeTransport: (transport) => async (request) => {
      const isApi = new URL(request.url).origin === base?.origin;
      if (isApi) requestTimes = [...getRecentRequests(), now()];
      const response = await transport(request);
      if (isApi) {
        const rateLimitHeaders = RATE_LIMIT_HEADER_NAMES.flatMap((name) => {
          const value = response.headers[name];
          return value !== undefined && /^[\w .,;=:"+/-]{1,100}$/.test(value) ? [[name, value]] : [];
        });
        if (rateLimitHeaders.length > 0) headers = Object.fromEntries(rateLimitHeaders);
      }
      return response;
    },
    scopes: () => ({ granted: listScopes(true), denied: listScopes(false) }),
    requireScope(scope) {
      if (scopeResults.get(scope) !== false || behaviorCache.get(scope) !== 'denied') return;
      throw new ToolError(
        'permission_denied',
        `The API key most likely lacks the scope ${scope}: the service denied it. Nothing was done; the user was not asked. Tell them to add it in Settings → API keys. Then call whoami with check: true, and try again.`,
        { scope },
      );
    },
    countRecentRequests: () => getRecentRequests().length,
    getRateLimitHeaders: () => headers,
    behaviorCache,
  };
}

function createBehaviorCache(now: () => number): BehaviorCache {
  const behaviors = new Map<string, { behavior: string; until: number }>();
  return {
    get(subject) {
      const entry = behaviors.get(subject);
      return entry && entry.until > now() ? entry.behavior : undefined;
    },
    set(subject, behavior) {
      setBounded(behaviors, MAX_BEHAVIORS, [subject, { behavior, until: now() + BEHAVIOR_TTL_MS }]);
    },
  };
}
