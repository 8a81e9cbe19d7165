import { join } from 'node:path';
import type { LimitStore } from '../../src/index.ts';
import { createMemoryState } from './memory-state.ts';
import type { SharedState, StateProvider } from './shared-state.ts';
import { ensurePrivateFolder } from './state-folder.ts';

const STATE_FILE_NAME = 'mcp-state.db';

/**
 * Opens the shared state of a folder when it is first needed; without a folder, one of this process alone. Where the
 * folder or its file can't be used, now or later, memory takes over and `onFailure` hears of it once.
 */
export function createStateProvider(options: {
  folder: string | undefined;
  onFailure: (error: unknown) => void;
  now?: () => number;
}): StateProvider & { close(): Promise<void> } {
  const { folder, onFailure, now } = options;
  const clock = now ? { now } : {};
  let statePromise: Promise<SharedState> | undefined;

  async function open(): Promise<SharedState> {
    if (folder === undefined) return createMemoryState(clock);
    try {
      ensurePrivateFolder(folder);
      // Imported late: most of what a server is asked first needs no state.
      const { openSqliteState } = await import('./sqlite-state.ts');
      return withMemoryFallback(await openSqliteState(join(folder, STATE_FILE_NAME), clock), {
        onFailure,
        now,
      });
    } catch (error) {
      onFailure(error);
      return createMemoryState(clock);
    }
  }

  const getState = () => {
    statePromise ??= open();
    return statePromise;
  };
  return Object.assign(getState, { close: async () => (await statePromise)?.close() });
}

/** Writes everything to memory too, so that nothing is forgotten if the carrier fails. */
function withMemoryFallback(
  backend: SharedState,
  options: { onFailure: (error: unknown) => void; now: (() => number) | undefined },
): SharedState {
  const memory = createMemoryState({ secret: backend.secret, ...(options.now ? { now: options.now } : {}) });
  let failed = false;

  async function tryCarrier<Result>(
    operation: () => Result | Promise<Result>,
    fallback: () => Result | Promise<Result>,
  ): Promise<Result> {
    if (!failed) {
      try {
        return await operation();
      } catch (error) {
        failed = true;
        options.onFailure(error);
      }
    }
    return fallback();
  }
  const use = <Result>(operation: (state: SharedState) => Promise<Result>) =>
    tryCarrier(
      () => operation(backend),
      () => operation(memory),
    );

  const { limit } = backend;
  return {
    secret: backend.secret,
    canStoreUserText: backend.canStoreUserText,
    ...(limit ? { limit: limitWhile(limit, tryCarrier) } : {}),
    get: (key) => use((state) => state.get(key)),
    async put(...entry) {
      await memory.put(...entry);
      await use((state) => state.put(...entry));
    },
    async putIfAbsent(...entry) {
      const existing = await use((state) => state.putIfAbsent(...entry));
      if (!existing) await memory.put(...entry);
      return existing;
    },
    async compareAndSwap(key, change) {
      const swapped = await use((state) => state.compareAndSwap(key, change));
      if (swapped) await memory.put(key, change.to, change.until);
      return swapped;
    },
    async remove(key) {
      await memory.remove(key);
      await use((state) => state.remove(key));
    },
    async writeEventually(...entry) {
      await memory.writeEventually(...entry);
      return use((state) => state.writeEventually(...entry));
    },
    getStatus: () => (failed ? memory : backend).getStatus(),
    close: () => backend.close(),
  };
}

/** The limit of the carrier; after a failure each server counts its own requests only, as without a carrier. */
function limitWhile(
  limit: LimitStore,
  tryCarrier: <Result>(operation: () => Result | Promise<Result>, fallback: () => Result) => Promise<Result>,
): LimitStore {
  const ignore = () => undefined;
  return {
    take: (request) =>
      tryCarrier(
        () => limit.take(request),
        () => 0,
      ),
    renew: (request) => tryCarrier(() => limit.renew?.(request), ignore),
    pause: (id, until) => tryCarrier(() => limit.pause(id, until), ignore),
  };
}
