import type { CleanupProcess } from './cleanup-process.ts';
import type { Journal } from './journal.ts';

/** Objects that the run is about to create or has created. */
export type CreatedResources = ReturnType<typeof trackCreatedResources>;

/** Updates journal and cleanup process before each create, so that a kill leaves no object behind. */
export function trackCreatedResources(marker: string, stores: { journal?: Journal; cleanupProcess?: CleanupProcess }) {
  let remainingPaths: readonly string[] = [];
  let unverifiedLists: readonly string[] = [];
  let preexisting: readonly string[] = [];
  const persist = async () => {
    await stores.journal?.write({ remainingPaths, unverifiedLists, preexisting });
    await stores.cleanupProcess?.update({ remainingPaths, unverifiedLists, preexisting });
  };
  const removeFirst = (list: readonly string[], one: string) =>
    list.includes(one) ? list.toSpliced(list.indexOf(one), 1) : list;
  return {
    /** Part of the name of every created object, and of nothing else. */
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
    /** Lists in which an object was created, even if it is removed. */
    touchedLists: new Set<string>(),
    /** Lists with a created object whose ID is unknown. */
    listsMissingId: [] as string[],
    /** Lists with a created object that has neither a known ID nor a name. */
    listsMissingName: [] as string[],
    async beforeCreate(list: string) {
      unverifiedLists = [...unverifiedLists, list];
      await persist();
    },
    async recordCreated(path: string, list: string) {
      this.touchedLists.add(list);
      remainingPaths = [...remainingPaths, path];
      unverifiedLists = removeFirst(unverifiedLists, list);
      await persist();
    },
    /** Records that a create returned an existing object. */
    async recordPreexisting(path: string) {
      preexisting = [...preexisting, path];
      await persist();
    },
    recordMissingId(list: string, canFindByName: boolean) {
      (canFindByName ? this.listsMissingId : this.listsMissingName).push(list);
    },
    /** Records that nothing was created. */
    async recordRejected(list: string) {
      unverifiedLists = removeFirst(unverifiedLists, list);
      await persist();
    },
    async recordRemoved(path: string) {
      remainingPaths = removeFirst(remainingPaths, path);
      await persist();
    },
    /** Stops the cleanup process and deletes the journal, after everything is removed. */
    async finish() {
      await stores.cleanupProcess?.stop();
      await stores.journal?.delete();
    },
  };
}
