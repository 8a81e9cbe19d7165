import { RATE_LIMIT, REMAINING_HEADERS, RESET_HEADERS } from '../../src/assumptions/index.ts';
import type { Hooks } from '../../src/call/hooks.ts';
import { NotFoundError, PermissionError } from '../../src/errors.ts';
import type { Transport } from '../../src/index.ts';
import type { Scope } from '../../src/scopes.ts';
import { LIMIT_HEADERS } from '../assumptions.ts';
import type { Habits, Sight } from '../contract/sight.ts';

const BEHAVIOR_TTL_MS = 10 * 60_000;
const HABITS_LIMIT = 500;
const TOLD_HEADERS = [...REMAINING_HEADERS, ...RESET_HEADERS, ...LIMIT_HEADERS];

/** A sight, with what has to be hung into a client so that it sees. */
export interface OpenSight extends Sight {
  /** `getScope` gives the scope of an operation by its name. */
  hooks(getScope: (operation: string) => Scope | undefined): Hooks;
  /** The same transport; what it sends to the API is counted. */
  watched(transport: Transport): Transport;
}

export function createSight(baseUrl: string | undefined, now: () => number = Date.now): OpenSight {
  const base = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const known = new Map<Scope, boolean>();
  let starts: number[] = [];
  let headers: Record<string, string> = {};

  function recent(): number[] {
    starts = starts.filter((at) => at > now() - RATE_LIMIT.windowMs);
    return starts;
  }

  function listed(works: boolean): Scope[] {
    return [...known].flatMap(([scope, does]) => (does === works ? [scope] : []));
  }

  return {
    host: base?.host,
    hooks: (getScope) => ({
      onRequestEnd({ operation: name, method, outcome, error, target }) {
        if (target !== 'api') return;
        const scope = getScope(name);
        // Services look at the key before they look for the object.
        const isNone = error instanceof NotFoundError && method === 'GET';
        if (scope !== undefined && (outcome === 'done' || isNone)) known.set(scope, true);
        // Other refusals may be about the object alone.
        if (error instanceof PermissionError && known.get(error.scope) !== true)
          known.set(error.scope, false);
      },
    }),
    watched: (transport) => async (request) => {
      const isApi = new URL(request.url).origin === base?.origin;
      if (isApi) starts = [...recent(), now()];
      const response = await transport(request);
      if (isApi) {
        const said = TOLD_HEADERS.flatMap((name) => {
          const value = response.headers[name];
          return value !== undefined && /^[\w .,;=:"+/-]{1,100}$/.test(value) ? [[name, value]] : [];
        });
        if (said.length > 0) headers = Object.fromEntries(said);
      }
      return response;
    },
    scopes: () => ({ works: listed(true), refused: listed(false) }),
    startedInWindow: () => recent().length,
    limitHeaders: () => headers,
    habits: createHabits(now),
  };
}

function createHabits(now: () => number): Habits {
  const habits = new Map<string, { habit: string; until: number }>();
  return {
    get(subject) {
      const found = habits.get(subject);
      return found && found.until > now() ? found.habit : undefined;
    },
    set(subject, habit) {
      const [oldest] = habits.keys();
      if (habits.size >= HABITS_LIMIT && oldest !== undefined) habits.delete(oldest);
      habits.set(subject, { habit, until: now() + BEHAVIOR_TTL_MS });
    },
  };
}
