/** A service in virtual time. Requests arrive 20 to 800 ms after their start; beyond its limit it responds with 429. */
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { createLimiter, defineClient, type Transport } from '../../src/index.ts';
import { createRandom } from './random.ts';

/** `bucket` refills two places per second, up to `burst`. */
export function createCountingService(options: {
  counting: 'sliding' | 'fixed' | 'bucket';
  burst?: number;
  seed: number;
  /** Headers of a 429. */
  headers?: Record<string, string>;
}) {
  const { counting, burst = 120 } = options;
  const random = createRandom(options.seed);
  /** Unix times in milliseconds at which requests were handed to the network. */
  const starts: number[] = [];
  let counted: number[] = [];
  let places = burst;
  let refilledAt = Date.now();
  let refused = 0;

  function takes(now: number): boolean {
    if (counting === 'bucket') {
      places = Math.min(burst, places + ((now - refilledAt) * 2) / 1000);
      refilledAt = now;
      if (places < 1) return false;
      places -= 1;
      return true;
    }
    counted = counted.filter((at) =>
      counting === 'sliding' ? at > now - 60_000 : Math.floor(at / 60_000) === Math.floor(now / 60_000),
    );
    if (counted.length >= 120) return false;
    counted.push(now);
    return true;
  }

  const transport: Transport = async () => {
    starts.push(Date.now());
    await new Promise((resolve) => setTimeout(resolve, 20 + random() * 780));
    const fits = takes(Date.now());
    if (!fits) refused += 1;
    return {
      status: fits ? 200 : 429,
      headers: fits ? {} : (options.headers ?? {}),
      body: Readable.from([Buffer.from('{"data":[]}')]),
    };
  };
  return { transport, starts, refused: () => refused };
}

/** Requests this many lists at once, through a client with its own limiter, and waits until all have ended. */
export async function startMany(calls: number, service: ReturnType<typeof createCountingService>) {
  const limiter = createLimiter();
  const client = defineClient({
    apiKey: 'key-of-the-limiter-test',
    baseUrl: 'https://docshare.test/api/v1',
    transport: service.transport,
    limiter,
  });
  const ends = Promise.allSettled(Array.from({ length: calls }, async () => await client.documents.list()));
  let ended = false;
  void ends.then(() => {
    ended = true;
  });
  while (!ended) await vi.advanceTimersByTimeAsync(1000);
  const failures = (await ends).flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
  return { starts: service.starts, failures };
}

/** Returns the maximum number of starts in any 60 s, both ends included. */
export function mostInAnyMinute(starts: readonly number[]): number {
  const sorted = starts.toSorted((a, b) => a - b);
  let most = 0;
  let from = 0;
  for (const [index, at] of sorted.entries()) {
    while (at - (sorted[from] ?? at) >= 60_000) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}
