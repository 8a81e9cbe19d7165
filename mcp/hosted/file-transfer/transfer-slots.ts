import { createTally } from '../http/tally.ts';

export type TransferSlots = ReturnType<typeof createTransferSlots>;

const DEFAULT_LIMITS = { total: 64, perGrant: 4 };

/** Limits concurrent transfers of files on this replica. Each needs little memory, but connections. */
export function createTransferSlots(limits: { readonly total: number; readonly perGrant: number } = DEFAULT_LIMITS) {
  const running = createTally();
  let total = 0;
  return {
    /** Takes a slot and returns a function that frees it; undefined if the grant or the replica has none left. */
    acquire(grant: string): (() => void) | undefined {
      if (running.get(grant) >= limits.perGrant || total >= limits.total) return undefined;
      running.add(grant, 1);
      total += 1;
      return () => {
        total -= 1;
        running.add(grant, -1);
      };
    },
  };
}
