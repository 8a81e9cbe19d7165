import type { CleanupProcess } from './cleanup-process.ts';
import type { Journal } from './journal.ts';

/** What is about to be made, and what was: whoever removes it later has to know of it before it is there. */
export interface CreatedResources {
  /** Stands in the name of everything that is made, and in nothing else. */
  readonly marker: string;
  /** Paths below the base URL of what was made and is still there, in the order of making. */
  readonly remainingPaths: readonly string[];
  /** Lists in which something of the marker's name may stand that nobody has an id of. */
  readonly unverifiedLists: readonly string[];
  readonly preexisting: readonly string[];
  /** Lists in which something was made, whether it is gone or not. */
  readonly touchedLists: ReadonlySet<string>;
  /** Lists in which something was made whose id no answer told. */
  readonly listsMissingId: readonly string[];
  /** The same of what has no name either. */
  readonly listsMissingName: readonly string[];
  beforeCreate(list: string): Promise<void>;
  recordCreated(path: string, list: string): Promise<void>;
  /** It was there before, although it was answered to making one. */
  recordPreexisting(path: string): Promise<void>;
  /** Nor is it found by its name where it got none. */
  recordMissingId(list: string, hasName: boolean): void;
  /** Nothing came of what was about to be made. */
  recordRejected(list: string): Promise<void>;
  recordRemoved(path: string): Promise<void>;
  /** Everything is removed: nobody has to look again. */
  finish(): Promise<void>;
}

/** Told to the journal and the cleanup process before it is done, so that no kill leaves anything behind. */
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
