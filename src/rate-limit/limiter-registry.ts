import { createHash } from 'node:crypto';
import { RATE_LIMIT } from '../assumptions/index.ts';
import { monotonicNow } from '../timer.ts';
import type { LimitStore } from './limit-store.ts';
import { createLimiter, type Limiter } from './limiter.ts';

/** A limiter is retained while its starts count, and then as long as a client uses it. */
interface Entry {
  readonly limiterRef: WeakRef<Limiter>;
  activeLimiter: Limiter | undefined;
  lastStartAt: number;
}

type Registry = ReturnType<typeof createRegistry>;

/** Shared by all installed copies of this package; the version changes with the `Limiter` interface. */
const REGISTRIES_KEY = Symbol.for('docshare.limiters.1');

interface Registries {
  readonly main: Registry;
  readonly byStore: WeakMap<LimitStore, Registry>;
}

function getRegistries(): Registries {
  const holder = globalThis as { [REGISTRIES_KEY]?: Registries };
  holder[REGISTRIES_KEY] ??= { main: createRegistry(), byStore: new WeakMap() };
  return holder[REGISTRIES_KEY];
}

function createRegistry() {
  return { entries: new Map<string, Entry>(), lastSweepAt: monotonicNow() };
}

/** Returns the process's limiter for a key and origin; the map holds a hash and drops idle ones. */
export function getSharedLimiter(options: { apiKey: string; origin: string; store?: LimitStore }): Limiter {
  const { store } = options;
  const id = createHash('sha256').update(`${options.origin}\n${options.apiKey}`).digest('base64url');
  const registry = store ? getRegistry(store) : getRegistries().main;
  removeIdleEntries(registry, monotonicNow());
  const existing = registry.entries.get(id);
  const limiter = existing?.limiterRef.deref();
  if (existing && limiter) {
    markUsed(existing, limiter);
    return limiter;
  }
  const created = createLimiter({
    ...(store ? { shared: { store, id } } : {}),
    onStart: () => {
      const entry = registry.entries.get(id);
      if (entry?.limiterRef.deref() === created) markUsed(entry, created);
    },
  });
  registry.entries.set(id, { limiterRef: new WeakRef(created), activeLimiter: created, lastStartAt: monotonicNow() });
  return created;
}

function markUsed(entry: Entry, limiter: Limiter): void {
  entry.activeLimiter = limiter;
  entry.lastStartAt = monotonicNow();
}

function getRegistry(store: LimitStore): Registry {
  const { byStore } = getRegistries();
  const existing = byStore.get(store);
  if (existing) return existing;
  const registry = createRegistry();
  byStore.set(store, registry);
  return registry;
}

/** Servers see many keys: drops limiters without starts or users, at most once per window. */
function removeIdleEntries(registry: Registry, now: number): void {
  if (now - registry.lastSweepAt < RATE_LIMIT.windowMs) return;
  registry.lastSweepAt = now;
  for (const [id, entry] of registry.entries) {
    if (
      entry.activeLimiter &&
      now - entry.lastStartAt > RATE_LIMIT.windowMs &&
      entry.activeLimiter.expectedWaitMs() === 0
    )
      entry.activeLimiter = undefined;
    if (entry.limiterRef.deref() === undefined) registry.entries.delete(id);
  }
}
