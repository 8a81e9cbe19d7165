import type { LimitRequest } from '../../src/index.ts';
import { steadyNow } from '../../src/timer.ts';

/** A start that this server made: known here, whether or not anybody else knows of it. */
export interface OwnStart {
  readonly at: number;
  /** Its name among all starts of all servers. */
  readonly start: string;
  /** Whether the carrier was told of it. */
  told: boolean;
}

type ShareRequest = Omit<LimitRequest, 'now'>;

/**
 * What a server knows by itself of a limit that all keep together, and may do alone while the carrier is away: its
 * share of the limit, and no more than what the others had left when the carrier was last heard.
 */
export interface OwnShares {
  /** Notes a start that the carrier booked. @param inAll how many the window holds, this one included. */
  booked(request: ShareRequest, inAll: number): void;
  /** The start counts from now on. @returns what to call once the carrier was told of it. */
  renew(request: ShareRequest): () => void;
  /** Notes how many starts of all servers the window holds. */
  heard(request: ShareRequest, inAll: number): void;
  /** 0: a start is noted; else the milliseconds until one may be. */
  takeAlone(request: ShareRequest, replicas: number): number;
  /** The starts of each limit that still count. */
  recent(): Iterable<readonly [id: string, share: { windowMs: number; starts: readonly OwnStart[] }]>;
}

interface Share {
  windowMs: number;
  starts: OwnStart[];
  /** Starts of the others, when the carrier was last heard. */
  others: number;
  heardAt: number;
}

export function createOwnShares(): OwnShares {
  const shares = new Map<string, Share>();
  let sweptAt = steadyNow();

  function shareOf({ id, windowMs }: ShareRequest): Share {
    const now = steadyNow();
    if (now - sweptAt > 10_000) sweep(now);
    let share = shares.get(id);
    if (!share) {
      share = { windowMs, starts: [], others: 0, heardAt: Number.NEGATIVE_INFINITY };
      shares.set(id, share);
    }
    forget(share, now);
    return share;
  }

  function sweep(now: number): void {
    sweptAt = now;
    for (const [id, share] of shares) {
      forget(share, now);
      if (share.starts.length === 0 && now - share.heardAt > share.windowMs) shares.delete(id);
    }
  }

  function heard(request: ShareRequest, inAll: number): void {
    const share = shareOf(request);
    share.others = Math.max(0, inAll - share.starts.length);
    share.heardAt = steadyNow();
  }

  return {
    booked(request, inAll) {
      shareOf(request).starts.push({ at: steadyNow(), start: request.start, told: true });
      heard(request, inAll);
    },
    renew(request) {
      const share = shareOf(request);
      const renewed = { at: steadyNow(), start: request.start, told: false };
      share.starts = [...share.starts.filter(({ start }) => start !== request.start), renewed];
      return () => {
        renewed.told = true;
      };
    },
    heard,
    takeAlone(request, replicas) {
      const share = shareOf(request);
      const now = steadyNow();
      const heardLeftMs = share.heardAt + request.windowMs - now;
      const left = heardLeftMs > 0 ? request.requests - share.others : request.requests;
      const allowed = Math.min(Math.max(1, Math.floor(request.requests / replicas)), left);
      if (share.starts.length < allowed) {
        share.starts.push({ at: now, start: request.start, told: false });
        return 0;
      }
      const blocking = share.starts[share.starts.length - Math.max(1, allowed)];
      const ownMs = blocking ? blocking.at + request.windowMs - now : heardLeftMs;
      // With nothing left, the starts of the others must end first.
      return Math.max(1, allowed < 1 ? heardLeftMs : ownMs);
    },
    recent: () => shares,
  };
}

function forget(share: Share, now: number): void {
  const from = share.starts.findIndex(({ at }) => at > now - share.windowMs);
  if (from !== 0) share.starts = from < 0 ? [] : share.starts.slice(from);
}
