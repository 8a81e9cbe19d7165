import type { ServiceFacts } from '../../src/profile/service-profile.ts';
import type { Session } from './session.ts';

type RateLimitFacts = NonNullable<ServiceFacts['limit']>;

export interface RateLimitClock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** §8 documents 120: a service that accepts this many calls has another limit. */
const MAX_CALLS = 260;
/** Fewer accepted calls than this mean a burst limit. */
const BURST_THRESHOLD = 60;
/** One minute plus clock skew. */
const MAX_WAIT_MS = 75_000;

/** Exhausts the rate limit to see how many calls it allows and when it recovers. Takes two to four minutes. */
export async function exhaustRateLimit(
  session: Session,
  { apiKey, clock }: { apiKey: string; clock: RateLimitClock },
): Promise<Partial<RateLimitFacts> | undefined> {
  const { recorder, signal } = session;
  const { now, sleep } = clock;
  const { baseUrl } = session.client;
  recorder.ignoreBudget = true;
  try {
    // Bypasses the client, which would keep within the limit.
    const send = async () => {
      const url = `${baseUrl}/documents`;
      const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
      await recorder.transport({ method: 'GET', url, headers, signal: AbortSignal.timeout(15_000) });
    };
    const sendAndGetStatus = async (): Promise<number> => {
      signal.throwIfAborted();
      const path = '/documents';
      const request = { method: 'GET', path, topic: 'limit', expected: 'page', noRetry: true } as const;
      const before = session.responses.length;
      await session.recordCall(request, send).catch(() => undefined);
      return session.responses.slice(before).at(-1)?.status ?? 0;
    };
    // Earlier calls must not count.
    await sleep(61_000);
    // Starts mid-minute, so that a fixed window ends clearly before a sliding one.
    const second = (now() / 1000) % 60;
    if (second < 10 || second > 35) await sleep(((75 - second) % 60) * 1000);
    const startedAt = now();
    let acceptedCalls = 0;
    let status = 0;
    while (acceptedCalls < MAX_CALLS) {
      status = await sendAndGetStatus();
      if (status === 429) break;
      acceptedCalls += 1;
    }
    if (status !== 429) return undefined;
    const rejectedAt = now();
    // If rejected calls count too, these delay the recovery.
    for (let extraCall = 0; extraCall < 10; extraCall += 1) await sendAndGetStatus();
    while (now() - rejectedAt < MAX_WAIT_MS) {
      await sleep(1000);
      if ((await sendAndGetStatus()) === 429) continue;
      return inferRateLimit({ acceptedCalls, startedAt, rejectedAt, recoveredAt: now() });
    }
    return { calls: acceptedCalls };
  } finally {
    recorder.ignoreBudget = false;
  }
}

function inferRateLimit(observed: {
  acceptedCalls: number;
  startedAt: number;
  rejectedAt: number;
  recoveredAt: number;
}): Partial<RateLimitFacts> {
  const { acceptedCalls, startedAt, rejectedAt, recoveredAt } = observed;
  const waitMs = recoveredAt - rejectedAt;
  if (waitMs < 20_000) {
    // If they count, ten rejected calls delay the recovery by ten seconds: the bucket refills two calls per second.
    const counts = waitMs > 4000 ? 'all' : 'accepted';
    return { kind: acceptedCalls < BURST_THRESHOLD ? 'burst' : 'bucket', counts, calls: 120 };
  }
  const nextMinuteMs = Math.ceil(startedAt / 60_000) * 60_000;
  const isFixed = Math.abs(recoveredAt - nextMinuteMs) < Math.abs(recoveredAt - (startedAt + 60_000));
  return { kind: isFixed ? 'fixed' : 'sliding', calls: acceptedCalls };
}
