import type { ServiceFacts } from '../../src/profile/format.ts';
import type { Session } from '../wire/session.ts';

type Limit = NonNullable<ServiceFacts['limit']>;

export interface LimitClock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** §8 names 120: a service that takes so many more at once has another limit. */
const MAX_CALLS = 260;
/** So few at once are a small burst. */
const BURST = 60;
/** A minute, and what clocks are apart. */
const MAX_WAIT_MS = 75_000;

/**
 * Uses the limit up, on purpose: how many calls are taken, how the next is refused, and when one is taken again. Two to
 * four minutes.
 */
export async function useUpLimit(
  session: Session,
  { apiKey, clock }: { apiKey: string; clock: LimitClock },
): Promise<Partial<Limit> | undefined> {
  const { recorder, signal } = session;
  const { now, sleep } = clock;
  const { baseUrl } = session.client;
  recorder.unbound = true;
  try {
    // Past the client, which would hold the limit: that is what is looked at.
    const send = async () => {
      const url = `${baseUrl}/documents`;
      const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
      await recorder.transport({ method: 'GET', url, headers, signal: AbortSignal.timeout(15_000) });
    };
    const call = async (): Promise<number> => {
      signal.throwIfAborted();
      const path = '/documents';
      const asked = { method: 'GET', path, route: path, topic: 'limit', as: 'page', once: true } as const;
      const before = session.answers.length;
      // A refusal is what is waited for.
      await session.watch(asked, send).catch(() => undefined);
      return session.answers.slice(before).at(-1)?.status ?? 0;
    };
    // What was asked before must not count.
    await sleep(61_000);
    // Fixed minutes end elsewhere than a minute after the first call.
    const second = (now() / 1000) % 60;
    if (second < 10 || second > 35) await sleep(((75 - second) % 60) * 1000);
    const startedAt = now();
    let taken = 0;
    let status = 0;
    while (taken < MAX_CALLS) {
      status = await call();
      if (status === 429) break;
      taken += 1;
    }
    if (status !== 429) return undefined;
    const refusedAt = now();
    // Where refused calls count too, these push the next one away.
    for (let more = 0; more < 10; more += 1) await call();
    while (now() - refusedAt < MAX_WAIT_MS) {
      await sleep(1000);
      if ((await call()) === 429) continue;
      return concludeLimit({ taken, startedAt, refusedAt, backAt: now() });
    }
    return { calls: taken };
  } finally {
    recorder.unbound = false;
  }
}

function concludeLimit(seen: {
  taken: number;
  startedAt: number;
  refusedAt: number;
  backAt: number;
}): Partial<Limit> {
  const { taken, startedAt, refusedAt, backAt } = seen;
  const waited = backAt - refusedAt;
  if (waited < 20_000) {
    // Ten refused calls cost ten seconds where they count: two calls come back in a second, and one is asked for.
    const counts = waited > 4000 ? 'all' : 'accepted';
    return { kind: taken < BURST ? 'burst' : 'bucket', counts, calls: 120 };
  }
  const minute = Math.ceil(startedAt / 60_000) * 60_000;
  const isFixed = Math.abs(backAt - minute) < Math.abs(backAt - (startedAt + 60_000));
  return { kind: isFixed ? 'fixed' : 'sliding', calls: taken };
}
