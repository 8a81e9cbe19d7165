import { join } from 'node:path';
import type { LimitStore } from '../../src/index.ts';
import { createMemoryState } from './memory-state.ts';
import type { SharedState, StateProvider } from './shared-state.ts';
import { ensurePrivateFolder } from './state-folder.ts';

const STATE_FILE_NAME = 'mcp-state.db';

/**
 * Opens the state of a folder when first needed, or memory without a folder. If the folder or file fails,
 * then or later, memory takes over and `onFailure` is called once.
 */
export function createStateProvider(options: {
  folder: string | undefined;
  onFailure: (error: unknown) => void;
  now?: () => number;
}): StateProvider & { close(): Promise<void> } {
  const { folder, onFailure, now = Date.now } = options;
  let statePromise: Promise<SharedState> | undefined;

  async function open(): Promise<SharedState> {
    if (folder === undefined) return createMemoryState({ now });
    try {
      ensurePrivateFolder(folder);
      // Imported late, because most first requests need no state.
      const { openSqliteState } = await import('./sqlite-state.ts');
      return withMemoryFallback(await openSqliteState(join(folder, STATE_FILE_NAME), { now }), { onFailure, now });
    } catch (error) {
      onFailure(error);
      return createMemoryState({ now });
    }
  }

  const getState = () => {
    statePromise ??= open();
    return statePromise;
  };
  return Object.assign(getState, { close: async () => (await statePromise)?.close() });
}

/** Mirrors every write in memory, so that nothing is lost if the backend fails. */
function withMemoryFallback(
  backend: SharedState,
  { onFailure, now }: { onFailure: (error: unknown) => void; now: () => number },
): SharedState {
  const memory = createMemoryState({ secret: backend.secret, now });
  let failed = false;

  async function tryBackend<Result>(
    operation: () => Result | Promise<Result>,
    fallback: () => Result | Promise<Result>,
  ): Promise<Result> {
    if (!failed) {
      try {
        return await operation();
      } catch (error) {
        failed = true;
        onFailure(error);
      }
    }
    return fallback();
  }
  const use = <Result>(operation: (state: SharedState) => Promise<Result>) =>
    tryBackend(
      () => operation(backend),
      () => operation(memory),
    );

  const { limit } = backend;
  return {
    secret: backend.secret,
    canStoreUserText: backend.canStoreUserText,
    ...(limit ? { limit: withLimitFallback(limit, tryBackend) } : {}),
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

/** Rate limit of the backend; after a failure each server counts only its own requests. */
function withLimitFallback(
  limit: LimitStore,
  tryBackend: <Result>(operation: () => Result | Promise<Result>, fallback: () => Result) => Promise<Result>,
): LimitStore {
  const ignore = () => undefined;
  return {
    take: (request) =>
      tryBackend(
        () => limit.take(request),
        () => 0,
      ),
    renew: (request) => tryBackend(() => limit.renew?.(request), ignore),
    pause: (id, until) => tryBackend(() => limit.pause(id, until), ignore),
  };
}
