import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../src/answer/fields.ts';
import type { SharedState } from './shared-state.ts';

/** A state that nobody shares and that ends with the process. */
export function createMemoryState(options: { now?: () => number; secret?: Buffer } = {}): SharedState {
  const { now = Date.now, secret = randomBytes(32) } = options;
  const entries = new Map<string, { entry: JsonObject; until: number }>();

  function find(key: string): JsonObject | undefined {
    const found = entries.get(key);
    return found && found.until > now() ? found.entry : undefined;
  }

  function write(key: string, entry: JsonObject, until: number): void {
    for (const [old, { until: end }] of entries) if (end <= now()) entries.delete(old);
    entries.set(key, { entry, until });
  }

  return {
    secret,
    get: async (key) => find(key),
    put: async (key, entry, until) => write(key, entry, until),
    claim: async (key, entry, until) => {
      // No await in here: of two calls at once, the second must see the first.
      const standing = find(key);
      if (!standing) write(key, entry, until);
      return standing;
    },
    remove: async (key) => void entries.delete(key),
    close: async () => undefined,
  };
}
