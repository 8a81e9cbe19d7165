import { join } from 'node:path';
import type { LimitStore } from '../../src/index.ts';
import { createMemoryState } from './memory-state.ts';
import type { OpenState, SharedState } from './shared-state.ts';
import { openFolder } from './state-folder.ts';

const FILE = 'mcp-state.db';

/**
 * Opens the shared state of a folder when it is first needed; without a folder, one of this process alone. Where the
 * folder or its file can't be used, now or later, memory takes over and `onFailure` hears of it once.
 */
export function createStateOpener(options: {
  folder: string | undefined;
  onFailure: (error: unknown) => void;
  now?: () => number;
}): OpenState & { close(): Promise<void> } {
  const { folder, onFailure, now } = options;
  const clock = now ? { now } : {};
  let opened: Promise<SharedState> | undefined;

  async function open(): Promise<SharedState> {
    if (folder === undefined) return createMemoryState(clock);
    try {
      openFolder(folder);
      // Imported late: most of what a server is asked first needs no state.
      const { openSqliteState } = await import('./sqlite-state.ts');
      return withMemoryBehind(await openSqliteState(join(folder, FILE), clock), { onFailure, now });
    } catch (error) {
      onFailure(error);
      return createMemoryState(clock);
    }
  }

  const opener = () => {
    opened ??= open();
    return opened;
  };
  return Object.assign(opener, { close: async () => (await opened)?.close() });
}

/** Memory hears of everything that is written, so that nothing is forgotten when the carrier fails. */
function withMemoryBehind(
  carrier: SharedState,
  options: { onFailure: (error: unknown) => void; now: (() => number) | undefined },
): SharedState {
  const memory = createMemoryState({ secret: carrier.secret, ...(options.now ? { now: options.now } : {}) });
  let failed = false;

  async function tried<Result>(
    act: (state: SharedState) => Result | Promise<Result>,
    instead: (memory: SharedState) => Result | Promise<Result>,
  ): Promise<Result> {
    if (!failed) {
      try {
        return await act(carrier);
      } catch (error) {
        failed = true;
        options.onFailure(error);
      }
    }
    return instead(memory);
  }

  const { limit } = carrier;
  return {
    secret: carrier.secret,
    keepsTexts: carrier.keepsTexts,
    ...(limit ? { limit: kindLimit(limit, tried) } : {}),
    get: (key) =>
      tried(
        (state) => state.get(key),
        (state) => state.get(key),
      ),
    async put(key, entry, until) {
      await memory.put(key, entry, until);
      await tried(
        (state) => state.put(key, entry, until),
        () => undefined,
      );
    },
    async claim(key, entry, until) {
      const standing = await tried(
        (state) => state.claim(key, entry, until),
        (state) => state.claim(key, entry, until),
      );
      if (!standing && !failed) await memory.put(key, entry, until);
      return standing;
    },
    async swap(key, change) {
      const swapped = await tried(
        (state) => state.swap(key, change),
        (state) => state.swap(key, change),
      );
      if (swapped && !failed) await memory.put(key, change.to, change.until);
      return swapped;
    },
    async remove(key) {
      await memory.remove(key);
      await tried(
        (state) => state.remove(key),
        () => undefined,
      );
    },
    async note(key, entry, until) {
      await memory.note(key, entry, until);
      return tried(
        (state) => state.note(key, entry, until),
        () => true,
      );
    },
    condition: () => (failed ? memory : carrier).condition(),
    close: () => carrier.close(),
  };
}

/** The limit of a carrier that failed: each server then counts its own starts, as it does without any carrier. */
function kindLimit(
  limit: LimitStore,
  tried: <Result>(act: () => Result | Promise<Result>, instead: () => Result) => Promise<Result>,
): LimitStore {
  return {
    take: (request) =>
      tried(
        () => limit.take(request),
        () => 0,
      ),
    renew: (request) =>
      tried(
        () => limit.renew?.(request),
        () => undefined,
      ),
    pause: (id, until) =>
      tried(
        () => limit.pause(id, until),
        () => undefined,
      ),
  };
}
