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
  const { folder, onFailure, now } = options;
  const clock = now ? { now } : {};
  let statePromise: Promise<SharedState> | undefined;

  async function open(): Promise<SharedState> {
    if (folder === undefined) return createMemoryState(clock);
    try {
      ensurePrivateFolder(folder);
      // Imported late, because most first requests need no state.
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

/** Mirrors every write in memory, so that nothing is lost when the backend fails. */
function withMemoryFallback(
  backend: SharedState,
  options: { onFailure: (error: unknown) => void; now: (() => number) | undefined },
): SharedState {
  const memory = createMemoryState({ secret: backend.secret, ...(options.now ? { now: options.now } : {}) });
  let failed = false;

  async function withFallback<Result>(
    operation: (state: SharedState) => Result | Promise<Result>,
    fallback: (memory: SharedState) => Result | Promise<Result> = operation,
  ): Promise<Result> {
    if (!failed) {
      try {
        return await operation(backend);
      } catch (error) {
        failed = true;
        options.onFailure(error);
      }
    }
    return fallback(memory);
  }

  const { limit } = backend;
  return {
    secret: backend.secret,
    canStoreUserText: backend.canStoreUserText,
    ...(limit ? { limit: withLimitFallback(limit, withFallback) } : {}),
    get: (key) => withFallback((state) => state.get(key)),
    async put(key, entry, until) {
      await memory.put(key, entry, until);
      await withFallback(
        (state) => state.put(key, entry, until),
        () => undefined,
      );
    },
    async putIfAbsent(key, entry, until) {
      const existing = await withFallback((state) => state.putIfAbsent(key, entry, until));
      if (!existing && !failed) await memory.put(key, entry, until);
      return existing;
    },
    async compareAndSwap(key, change) {
      const swapped = await withFallback((state) => state.compareAndSwap(key, change));
      if (swapped && !failed) await memory.put(key, change.to, change.until);
      return swapped;
    },
    async remove(key) {
      await memory.remove(key);
      await withFallback(
        (state) => state.remove(key),
        () => undefined,
      );
    },
    async writeEventually(key, entry, until) {
      await memory.writeEventually(key, entry, until);
      return withFallback(
        (state) => state.writeEventually(key, entry, until),
        () => true,
      );
    },
    getStatus: () => (failed ? memory : backend).getStatus(),
    close: () => backend.close(),
  };
}

/** After a failure, each server counts its own requests, as without a shared state. */
function withLimitFallback(
  limit: LimitStore,
  withFallback: <Result>(
    operation: () => Result | Promise<Result>,
    fallback: () => Result,
  ) => Promise<Result>,
): LimitStore {
  return {
    take: (request) =>
      withFallback(
        () => limit.take(request),
        () => 0,
      ),
    renew: (request) =>
      withFallback(
        () => limit.renew?.(request),
        () => undefined,
      ),
    pause: (id, until) =>
      withFallback(
        () => limit.pause(id, until),
        () => undefined,
      ),
  };
}
