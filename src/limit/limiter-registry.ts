import { createHash } from 'node:crypto';
import { RATE_LIMIT } from '../assumptions/index.ts';
import { steadyNow } from '../timer.ts';
import type { LimitStore } from './limit-store.ts';
import { createLimiter, type Limiter } from './limiter.ts';

/** A limiter is held while its starts count, and after that only as long as a client uses it. */
interface Entry {
  readonly used: WeakRef<Limiter>;
  counting: Limiter | undefined;
  lastStartAt: number;
}

interface Registry {
  readonly entries: Map<string, Entry>;
  sweptAt: number;
}

const ownRegistry = createRegistry();
const registries = new WeakMap<LimitStore, Registry>();

function createRegistry(): Registry {
  return { entries: new Map(), sweptAt: steadyNow() };
}

/** The one limiter of this process for a key at an origin; the map holds a hash, never the key, and forgets idle ones. */
export function sharedLimiter(options: { apiKey: string; origin: string; store?: LimitStore }): Limiter {
  const { store } = options;
  const id = createHash('sha256').update(`${options.origin}\n${options.apiKey}`).digest('base64url');
  const registry = store ? getRegistry(store) : ownRegistry;
  sweep(registry, steadyNow());
  const known = registry.entries.get(id);
  const limiter = known?.used.deref();
  if (known && limiter) {
    keep(known, limiter);
    return limiter;
  }
  const made = createLimiter({
    ...(store ? { shared: { store, id } } : {}),
    onStart: () => {
      const entry = registry.entries.get(id);
      if (entry?.used.deref() === made) keep(entry, made);
    },
  });
  registry.entries.set(id, { used: new WeakRef(made), counting: made, lastStartAt: steadyNow() });
  return made;
}

function keep(entry: Entry, limiter: Limiter): void {
  entry.counting = limiter;
  entry.lastStartAt = steadyNow();
}

function getRegistry(store: LimitStore): Registry {
  const known = registries.get(store);
  if (known) return known;
  const registry = createRegistry();
  registries.set(store, registry);
  return registry;
}

/** A server sees many keys: what neither counts nor is used goes, at most once in a window. */
function sweep(registry: Registry, now: number): void {
  if (now - registry.sweptAt < RATE_LIMIT.windowMs) return;
  registry.sweptAt = now;
  for (const [id, entry] of registry.entries) {
    if (
      entry.counting &&
      now - entry.lastStartAt > RATE_LIMIT.windowMs &&
      entry.counting.expectedWaitMs() === 0
    )
      entry.counting = undefined;
    if (entry.used.deref() === undefined) registry.entries.delete(id);
  }
}
