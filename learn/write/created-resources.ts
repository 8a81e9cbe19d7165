import type { CleanupProcess } from './cleanup-process.ts';
import type { PendingCleanup } from './remove.ts';

/** Objects that the run is about to create or has created. */
export type CreatedResources = ReturnType<typeof trackCreatedResources>;

/** Updates the cleanup process before each create, so that a kill leaves no object behind. */
export function trackCreatedResources(marker: string, cleanupProcess?: CleanupProcess) {
  const pending = { remainingPaths: [] as string[], unverifiedLists: [] as string[], preexisting: [] as string[] };
  const report = async () => cleanupProcess?.update(pending);
  const removeFirst = (list: string[], one: string) => {
    if (list.includes(one)) list.splice(list.indexOf(one), 1);
  };
  return {
    /** Part of the name of every created object, and of nothing else. */
    marker,
    pending: pending satisfies PendingCleanup as PendingCleanup,
    /** Lists in which an object was created, even if it is removed. */
    touchedLists: new Set<string>(),
    /** Lists with a created object whose ID is unknown. */
    listsMissingId: [] as string[],
    /** Lists with a created object that has neither a known ID nor a name. */
    listsMissingName: [] as string[],
    async beforeCreate(list: string) {
      pending.unverifiedLists.push(list);
      await report();
    },
    async recordCreated(path: string, list: string) {
      this.touchedLists.add(list);
      pending.remainingPaths.push(path);
      removeFirst(pending.unverifiedLists, list);
      await report();
    },
    /** Records that a create returned an existing object. */
    async recordPreexisting(path: string) {
      pending.preexisting.push(path);
      await report();
    },
    recordMissingId(list: string, canFindByName: boolean) {
      (canFindByName ? this.listsMissingId : this.listsMissingName).push(list);
    },
    /** Records that nothing was created. */
    async recordRejected(list: string) {
      removeFirst(pending.unverifiedLists, list);
      await report();
    },
    async recordRemoved(path: string) {
      removeFirst(pending.remainingPaths, path);
      await report();
    },
    /** Stops the cleanup process, after everything is removed. */
    finish: async () => cleanupProcess?.stop(),
  };
}
