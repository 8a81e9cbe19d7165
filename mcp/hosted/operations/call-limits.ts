/** A request that runs. */
export interface Ticket {
  /** Counts it for the one who sent it; false where he has too many. */
  countFor(grant: string): boolean;
  /** Keeps room for its body until it ends; false where other bodies fill it, or those of who sent it a third of it. */
  holdBytes(bytes: number): boolean;
  end(): void;
}

export interface CallLimits {
  /** Undefined where too many run. */
  begin(): Ticket | undefined;
  running(): number;
}

/** A body this short needs no room of its own: else long ones, sent slowly, would keep all others out. */
const SHORT_BYTES = 64 * 1024;

export interface Limits {
  readonly perGrant: number;
  readonly inAll: number;
  /** Of all bodies that are held at once: what is read from JSON takes several times its bytes. */
  readonly bodyBytes: number;
}

/** So many requests at once, in all and for each grant: one person's host can't take the room of all others. */
export function createCallLimits(limits: Limits): CallLimits {
  const byGrant = new Map<string, number>();
  let running = 0;
  let bytesHeld = 0;
  const bytesByGrant = new Map<string, number>();

  return {
    begin() {
      if (running >= limits.inAll) return undefined;
      running += 1;
      let ended = false;
      let owner: string | undefined;
      let held = 0;
      return {
        countFor(grant) {
          const own = byGrant.get(grant) ?? 0;
          if (own >= limits.perGrant) return false;
          owner = grant;
          byGrant.set(grant, own + 1);
          return true;
        },
        holdBytes(bytes) {
          if (bytes <= SHORT_BYTES || owner === undefined) return true;
          const ofOwner = (bytesByGrant.get(owner) ?? 0) + bytes;
          if (bytesHeld + bytes > limits.bodyBytes || ofOwner > limits.bodyBytes / 3) return false;
          held += bytes;
          bytesHeld += bytes;
          bytesByGrant.set(owner, ofOwner);
          return true;
        },
        end() {
          if (ended) return;
          ended = true;
          running -= 1;
          bytesHeld -= held;
          if (owner === undefined) return;
          const bytesLeft = (bytesByGrant.get(owner) ?? 0) - held;
          if (bytesLeft > 0) bytesByGrant.set(owner, bytesLeft);
          else bytesByGrant.delete(owner);
          const left = (byGrant.get(owner) ?? 1) - 1;
          if (left > 0) byGrant.set(owner, left);
          else byGrant.delete(owner);
        },
      };
    },
    running: () => running,
  };
}
