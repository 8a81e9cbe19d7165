/** A request that runs. */
export interface Ticket {
  /** Counts it for the one who sent it; false where he has too many. */
  countFor(grant: string): boolean;
  end(): void;
}

export interface CallLimits {
  /** Undefined where too many run. */
  begin(): Ticket | undefined;
  running(): number;
}

/** So many requests at once, in all and for each grant: one person's host can't take the room of all others. */
export function createCallLimits(limits: { perGrant: number; inAll: number }): CallLimits {
  const byGrant = new Map<string, number>();
  let running = 0;

  return {
    begin() {
      if (running >= limits.inAll) return undefined;
      running += 1;
      let ended = false;
      let owner: string | undefined;
      return {
        countFor(grant) {
          const own = byGrant.get(grant) ?? 0;
          if (own >= limits.perGrant) return false;
          owner = grant;
          byGrant.set(grant, own + 1);
          return true;
        },
        end() {
          if (ended) return;
          ended = true;
          running -= 1;
          if (owner === undefined) return;
          const left = (byGrant.get(owner) ?? 1) - 1;
          if (left > 0) byGrant.set(owner, left);
          else byGrant.delete(owner);
        },
      };
    },
    running: () => running,
  };
}
