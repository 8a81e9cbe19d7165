import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../src/records/fields.ts';
import { toCanonicalJson } from '../canonical-json.ts';
import { type SharedState, SINGLE_SERVER_STATUS } from './shared-state.ts';

const SWEEP_INTERVAL_MS = 1000;

/** Creates an unshared state that ends with the process. */
export function createMemoryState(options: { now?: () => number; secret?: Buffer } = {}): SharedState {
  const { now = Date.now, secret = randomBytes(32) } = options;
  const entries = new Map<string, { entry: JsonObject; until: number }>();
  let sweptAt = now();

  function find(key: string): JsonObject | undefined {
    const found = entries.get(key);
    return found && found.until > now() ? found.entry : undefined;
  }

  function write(key: string, entry: JsonObject, until: number): void {
    if (Math.abs(now() - sweptAt) >= SWEEP_INTERVAL_MS) sweep();
    entries.set(key, { entry, until });
  }

  function sweep(): void {
    sweptAt = now();
    for (const [old, { until: end }] of entries) if (end <= sweptAt) entries.delete(old);
  }

  // No await in these functions: of two concurrent calls, the second must see the first.
  return {
    secret,
    canStoreUserText: true,
    get: async (key) => find(key),
    put: async (key, entry, until) => write(key, entry, until),
    putIfAbsent: async (key, entry, until) => {
      const existing = find(key);
      if (!existing) write(key, entry, until);
      return existing;
    },
    compareAndSwap: async (key, { from, to, until }) => {
      const existing = find(key);
      if (!existing || toCanonicalJson(existing) !== toCanonicalJson(from)) return false;
      write(key, to, until);
      return true;
    },
    remove: async (key) => void entries.delete(key),
    writeEventually: async (key, entry, until) => {
      if (entry) write(key, entry, until);
      else entries.delete(key);
      return true;
    },
    getStatus: () => ({ backend: 'memory', ...SINGLE_SERVER_STATUS }),
    close: async () => undefined,
  };
}
