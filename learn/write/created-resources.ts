import type { CleanupProcess } from './cleanup-process.ts';
import type { Journal } from './journal.ts';
import type { PendingCleanup } from './pending-cleanup.ts';

/** Objects that the run is about to create or has created. */
export interface CreatedResources extends PendingCleanup {
  /** Part of the name of every created object, and of nothing else. */
  readonly marker: string;
  /** Lists in which an object was created, even if it is removed. */
  readonly touchedLists: ReadonlySet<string>;
  /** Lists with a created object whose ID is unknown. */
  readonly listsMissingId: readonly string[];
  /** Lists with a created object that has neither a known ID nor a name. */
  readonly listsMissingName: readonly string[];
  beforeCreate(list: string): Promise<void>;
  recordCreated(path: string, list: string): Promise<void>;
  /** Records that a create returned an existing object. */
  recordPreexisting(path: string): Promise<void>;
  recordMissingId(list: string, hasName: boolean): void;
  /** Records that nothing was created. */
  recordRejected(list: string): Promise<void>;
  recordRemoved(path: string): Promise<void>;
  /** Stops the cleanup process and deletes the journal, after everything is removed. */
  finish(): Promise<void>;
}

/** Updates journal and cleanup process before each create, so that a kill leaves no object behind. */
export function trackCreatedResources(
  marker: string,
  stores: { journal?: Journal; cleanupProcess?: CleanupProcess },
): CreatedResources {
  let remainingPaths: string[] = [];
  let unverifiedLists: string[] = [];
  let preexisting: string[] = [];
  const listsMissingId: string[] = [];
  const listsMissingName: string[] = [];
  const touchedLists = new Set<string>();
  const persist = async () => {
    await stores.journal?.write({ remainingPaths, unverifiedLists, preexisting });
    await stores.cleanupProcess?.update({ remainingPaths, unverifiedLists, preexisting });
  };
  const removeFirst = (list: readonly string[], one: string) => {
    const at = list.indexOf(one);
    return list.filter((_, index) => index !== at);
  };
  return {
    marker,
    get remainingPaths() {
      return remainingPaths;
    },
    get unverifiedLists() {
      return unverifiedLists;
    },
    get preexisting() {
      return preexisting;
    },
    touchedLists,
    listsMissingId,
    listsMissingName,
    async beforeCreate(list) {
      unverifiedLists = [...unverifiedLists, list];
      await persist();
    },
    async recordCreated(path, list) {
      touchedLists.add(list);
      remainingPaths = [...remainingPaths, path];
      unverifiedLists = removeFirst(unverifiedLists, list);
      await persist();
    },
    async recordPreexisting(path) {
      preexisting = [...preexisting, path];
      await persist();
    },
    recordMissingId(list, hasName) {
      (hasName ? listsMissingId : listsMissingName).push(list);
    },
    async recordRejected(list) {
      unverifiedLists = removeFirst(unverifiedLists, list);
      await persist();
    },
    async recordRemoved(path) {
      remainingPaths = removeFirst(remainingPaths, path);
      await persist();
    },
    async finish() {
      await stores.cleanupProcess?.stop();
      await stores.journal?.delete();
    },
  };
}
