export type TransferSlots = ReturnType<typeof createTransferSlots>;

const DEFAULT_LIMITS = { total: 64, perGrant: 4 };

/** Limits concurrent transfers of files on this replica. Each needs little memory, but connections. */
export function createTransferSlots(limits: { readonly total: number; readonly perGrant: number } = DEFAULT_LIMITS) {
  const running = new Map<string, number>();
  let total = 0;
  return {
    /** Takes a slot and returns a function that frees it; undefined if the grant or the replica has none left. */
    acquire(grant: string): (() => void) | undefined {
      const count = running.get(grant) ?? 0;
      if (count >= limits.perGrant || total >= limits.total) return undefined;
      running.set(grant, count + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = (running.get(grant) ?? 1) - 1;
        if (left > 0) running.set(grant, left);
        else running.delete(grant);
      };
    },
  };
}
