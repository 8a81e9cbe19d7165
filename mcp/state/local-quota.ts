import type { LimitRequest } from '../../src/index.ts';
import { monotonicNow } from '../../src/timer.ts';

type QuotaRequest = Omit<LimitRequest, 'now'>;

interface Started {
  readonly windowMs: number;
  /** Oldest first. */
  readonly starts: { readonly at: number; readonly start: string }[];
}

const SWEEP_MS = 10_000;

/** Requests that this replica started, by limit. */
export function createLocalQuota() {
  const limits = new Map<string, Started>();
  let sweptAt = monotonicNow();

  function sweep(now: number): void {
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    for (const [id, { windowMs, starts }] of limits) if ((starts.at(-1)?.at ?? 0) <= now - windowMs) limits.delete(id);
  }

  return {
    /** Counts a request from now; an earlier count of it is replaced. */
    add({ id, windowMs, start }: QuotaRequest): void {
      const now = monotonicNow();
      sweep(now);
      const counted = limits.get(id)?.starts ?? [];
      const starts = counted.filter((item) => item.at > now - windowMs && item.start !== start);
      limits.set(id, { windowMs, starts: [...starts, { at: now, start }] });
    },
    /** Removes a request that did not start. */
    remove({ id, start }: QuotaRequest): void {
      const counted = limits.get(id)?.starts ?? [];
      const at = counted.findIndex((item) => item.start === start);
      if (at >= 0) counted.splice(at, 1);
    },
    /** Milliseconds until this replica may start a request within its share; 0 means now. */
    waitMs({ id, requests, windowMs }: QuotaRequest, replicas: number): number {
      const share = Math.max(1, Math.floor(requests / replicas));
      const blocking = limits.get(id)?.starts.at(-share);
      return blocking ? Math.max(0, blocking.at + windowMs - monotonicNow()) : 0;
    },
  };
}
