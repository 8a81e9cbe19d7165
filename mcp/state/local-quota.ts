import type { LimitRequest } from '../../src/index.ts';
import { monotonicNow } from '../../src/timer.ts';

/** A start that this server made: known here, whether or not anybody else knows of it. */
export interface LocalStart {
  readonly at: number;
  /** Its name among all starts of all servers. */
  readonly start: string;
  /** Whether the carrier was told of it. */
  told: boolean;
}

type ShareRequest = Omit<LimitRequest, 'now'>;

/**
 * What a server knows by itself of a limit that all keep together, and may do alone while the carrier is away: its
 * share of the limit; for a window after the carrier was lost, its share of what was left then, since one of the others
 * may have started more than its own.
 */
export interface LocalQuotas {
  /** Notes a start that the carrier booked. @param inAll how many the window holds, this one included. */
  booked(request: ShareRequest, inAll: number): void;
  /** The start counts from now on. @returns what to call once the carrier was told of it. */
  renew(request: ShareRequest): () => void;
  /** Notes how many starts of all servers the window holds, told to one that was to wait. */
  heard(request: ShareRequest, inAll: number): void;
  /** The same, asked for while nobody wants to start: it keeps no limit that is used no more. */
  overheard(request: ShareRequest, inAll: number): void;
  /** 0: a start is noted; else the milliseconds until one may be. */
  takeAlone(request: ShareRequest, alone: { replicas: number; lostAt: number }): number;
  /** The limits that were used here within an hour, the `most` that were used last. */
  inUse(most: number): readonly ShareRequest[];
  /** The starts of each limit that still count. */
  recent(): Iterable<readonly [id: string, share: { windowMs: number; starts: readonly LocalStart[] }]>;
}

interface Share {
  readonly request: ShareRequest;
  windowMs: number;
  starts: LocalStart[];
  /** Own starts, and how many of all, when the carrier was last heard. */
  own: readonly LocalStart[];
  inAll: number;
  heardAt: number;
  usedAt: number;
}

/** So long after its last use a limit is listened to: a loss in that time finds it known. */
const LISTENED_MS = 3_600_000;
const SWEEP_MS = 10_000;

export function createLocalQuotas(): LocalQuotas {
  const shares = new Map<string, Share>();
  let sweptAt = monotonicNow();

  function shareOf(request: ShareRequest): Share {
    const { id, windowMs } = request;
    const now = monotonicNow();
    sweep(now);
    let share = shares.get(id);
    if (!share) {
      const heardAt = Number.NEGATIVE_INFINITY;
      share = { request, windowMs, starts: [], own: [], inAll: 0, heardAt, usedAt: now };
      shares.set(id, share);
    }
    share.usedAt = now;
    forget(share, now);
    return share;
  }

  function sweep(now: number): void {
    if (now - sweptAt <= SWEEP_MS) return;
    sweptAt = now;
    for (const [id, share] of shares) {
      forget(share, now);
      // What was heard a window before a loss counts for a window after it.
      const keptMs = Math.max(LISTENED_MS, 2 * share.windowMs);
      if (share.starts.length === 0 && now - share.usedAt > keptMs) shares.delete(id);
    }
  }

  return {
    booked(request, inAll) {
      const share = shareOf(request);
      share.starts.push({ at: monotonicNow(), start: request.start, told: true });
      note(share, inAll);
    },
    renew(request) {
      const share = shareOf(request);
      const renewed = { at: monotonicNow(), start: request.start, told: false };
      share.starts = [...share.starts.filter(({ start }) => start !== request.start), renewed];
      return () => {
        renewed.told = true;
      };
    },
    heard(request, inAll) {
      note(shareOf(request), inAll);
    },
    overheard({ id }, inAll) {
      const share = shares.get(id);
      if (!share) return;
      forget(share, monotonicNow());
      note(share, inAll);
    },
    takeAlone(request, { replicas, lostAt }) {
      const share = shareOf(request);
      const now = monotonicNow();
      const { requests, windowMs } = request;
      const whole = Math.max(1, Math.floor(requests / replicas));
      const left = Math.floor(Math.max(0, requests - share.inAll) / replicas);
      // What all started before is history one window after nobody could book any more.
      const historyMs = lostAt + windowMs - now;
      const isKnown = historyMs > 0 && share.heardAt > lostAt - windowMs;
      // A place that fell free before the loss may be another's by now, and nobody has said so.
      const own = share.own.filter(({ at }) => at > lostAt - windowMs).length;
      const allowed = isKnown ? Math.min(whole, own + left) : whole;
      if (share.starts.length < allowed) {
        share.starts.push({ at: now, start: request.start, told: false });
        return 0;
      }
      const blocking = share.starts[share.starts.length - Math.max(1, allowed)];
      const ownMs = blocking && allowed > 0 ? blocking.at + windowMs - now : Number.POSITIVE_INFINITY;
      const waitMs = allowed < whole ? Math.min(ownMs, historyMs) : ownMs;
      return Math.max(1, Math.min(waitMs, windowMs));
    },
    inUse(most) {
      sweep(monotonicNow());
      const all = [...shares.values()];
      // By their time, not by their place: a limit that is used for long stands where it came first.
      const last = all.length <= most ? all : all.toSorted((a, b) => b.usedAt - a.usedAt).slice(0, most);
      return last.map(({ request }) => request);
    },
    recent: () => shares,
  };
}

function note(share: Share, inAll: number): void {
  share.own = [...share.starts];
  share.inAll = inAll;
  share.heardAt = monotonicNow();
}

function forget(share: Share, now: number): void {
  const from = share.starts.findIndex(({ at }) => at > now - share.windowMs);
  if (from !== 0) share.starts = from < 0 ? [] : share.starts.slice(from);
}
