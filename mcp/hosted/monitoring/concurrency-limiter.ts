/** A request that runs. */
export interface InFlightRequest {
  /** Counts it for the one who sent it; false where he has too many. */
  countForGrant(grant: string): boolean;
  /** Keeps room for its body until it ends; false where other bodies fill it, or those of who sent it a third of it. */
  reserveBytes(bytes: number): boolean;
  end(): void;
}

export interface ConcurrencyLimiter {
  /** Undefined where too many run. */
  acquire(): InFlightRequest | undefined;
  running(): number;
}

/** A body this short needs no room of its own: else long ones, sent slowly, would keep all others out. */
const SMALL_BODY_BYTES = 64 * 1024;

export interface ConcurrencyLimits {
  readonly perGrant: number;
  readonly total: number;
  /** Of all bodies that are held at once: what is read from JSON takes several times its bytes. */
  readonly bodyBytes: number;
}

/** So many requests at once, in all and for each grant: one person's host can't take the room of all others. */
export function createConcurrencyLimiter(limits: ConcurrencyLimits): ConcurrencyLimiter {
  const byGrant = new Map<string, number>();
  let running = 0;
  let reservedBytes = 0;
  const bytesByGrant = new Map<string, number>();

  return {
    acquire() {
      if (running >= limits.total) return undefined;
      running += 1;
      let ended = false;
      let owner: string | undefined;
      let requestBytes = 0;
      return {
        countForGrant(grant) {
          const grantCount = byGrant.get(grant) ?? 0;
          if (grantCount >= limits.perGrant) return false;
          owner = grant;
          byGrant.set(grant, grantCount + 1);
          return true;
        },
        reserveBytes(bytes) {
          if (bytes <= SMALL_BODY_BYTES || owner === undefined) return true;
          const ownerBytes = (bytesByGrant.get(owner) ?? 0) + bytes;
          if (reservedBytes + bytes > limits.bodyBytes || ownerBytes > limits.bodyBytes / 3) return false;
          requestBytes += bytes;
          reservedBytes += bytes;
          bytesByGrant.set(owner, ownerBytes);
          return true;
        },
        end() {
          if (ended) return;
          ended = true;
          running -= 1;
          reservedBytes -= requestBytes;
          if (owner === undefined) return;
          const bytesLeft = (bytesByGrant.get(owner) ?? 0) - requestBytes;
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
