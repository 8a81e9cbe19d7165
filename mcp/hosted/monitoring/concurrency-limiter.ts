import { createTally } from '../http/tally.ts';

export interface InFlightRequest {
  /** Counts the request for its grant. Returns false if the grant has too many. */
  countForGrant(grant: string): boolean;
  /**
   * Reserves memory for the body until the request ends. Returns false if all bodies, or one third by this
   * grant, use it up.
   */
  reserveBytes(bytes: number): boolean;
  end(): void;
}

interface ConcurrencyLimiter {
  /** Returns undefined if too many requests are running. */
  acquire(): InFlightRequest | undefined;
  running(): number;
}

/** Smaller bodies need no reservation, so that slow large ones can't lock others out. */
const SMALL_BODY_BYTES = 64 * 1024;

export interface ConcurrencyLimits {
  readonly perGrant: number;
  readonly total: number;
  /** For all bodies in memory at once. Parsed JSON takes several times its bytes. */
  readonly bodyBytes: number;
}

/** Limits concurrent requests, in total and per grant, so that one user's host can't take all the capacity. */
export function createConcurrencyLimiter(limits: ConcurrencyLimits): ConcurrencyLimiter {
  const requestsByGrant = createTally();
  const bytesByGrant = createTally();
  let running = 0;
  let reservedBytes = 0;

  return {
    acquire() {
      if (running >= limits.total) return undefined;
      running += 1;
      let ended = false;
      let owner: string | undefined;
      let requestBytes = 0;
      return {
        countForGrant(grant) {
          if (requestsByGrant.get(grant) >= limits.perGrant) return false;
          owner = grant;
          requestsByGrant.add(grant, 1);
          return true;
        },
        reserveBytes(bytes) {
          if (bytes <= SMALL_BODY_BYTES || owner === undefined) return true;
          const ownerBytes = bytesByGrant.get(owner) + bytes;
          if (reservedBytes + bytes > limits.bodyBytes || ownerBytes > limits.bodyBytes / 3) return false;
          requestBytes += bytes;
          reservedBytes += bytes;
          bytesByGrant.add(owner, bytes);
          return true;
        },
        end() {
          if (ended) return;
          ended = true;
          running -= 1;
          reservedBytes -= requestBytes;
          if (owner === undefined) return;
          bytesByGrant.add(owner, -requestBytes);
          requestsByGrant.add(owner, -1);
        },
      };
    },
    running: () => running,
  };
}
