import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/answer/fields.ts';
import type { SharedState } from '../../state/shared-state.ts';
import { ToolError } from '../../tool-error.ts';
import { ONE_TIME_URL_TTL_MS, openSealed, sealFor } from '../one-time.ts';

/**
 * One file on its way through, as all replicas see it. `sending`: nothing can have been registered yet; `registering`: the
 * service has all of it, or is about to, so that a replica which ends now leaves it unknown; `failed`: nothing was
 * registered, and the address takes another try.
 */
export type Phase = 'sending' | 'registering' | 'done' | 'unknown' | 'failed';

export interface RunView {
  readonly phase: Phase;
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Of `done` what the upload answered, of `failed` why. */
  readonly outcome: JsonObject | undefined;
}

export interface Run {
  /** Notes how far it is; seldom enough for the state. */
  sent(bytes: number): void;
  /** To be awaited before the last byte leaves. @throws ToolError where another replica has taken over meanwhile. */
  registering(): Promise<void>;
  end(phase: 'done' | 'failed', outcome: JsonObject): Promise<void>;
  end(phase: 'unknown'): Promise<void>;
}

const HEARTBEAT_INTERVAL_MS = 2000;
/** A replica that was not heard of for so long has ended. */
const REPLICA_TIMEOUT_MS = 30_000;

export interface RunPlace {
  readonly state: SharedState;
  readonly hash: string;
  readonly token: string;
  readonly now: () => number;
}

const runKey = ({ hash }: RunPlace) => `run ${hash}`;

export async function viewRun(place: RunPlace): Promise<RunView | undefined> {
  const entry = await place.state.get(runKey(place));
  return entry && toAttemptStatus(place, entry);
}

async function toAttemptStatus({ state, token, now }: RunPlace, entry: JsonObject): Promise<RunView> {
  const { phase: noted, sent, total, beat, outcome } = entry;
  const progress = { sentBytes: Number(sent), totalBytes: Number(total) };
  const lost = (noted === 'sending' || noted === 'registering') && now() - Number(beat) > REPLICA_TIMEOUT_MS;
  if (lost)
    return noted === 'sending'
      ? { ...progress, phase: 'failed', outcome: INTERRUPTED }
      : { ...progress, phase: 'unknown', outcome: undefined };
  return {
    ...progress,
    phase: noted as Phase,
    outcome: await openSealed(state.secret, token, outcome),
  };
}

const INTERRUPTED = {
  code: 'interrupted',
  message: 'The server that took the file ended in the middle. Nothing was registered: hand it over again.',
};

/** Begins a run where none is under way or has ended, one at a time among all replicas; else how the other one stands. */
export async function beginRun(
  place: RunPlace,
  { totalBytes, until }: { totalBytes: number; until: number },
): Promise<Run | RunView> {
  const { state, now } = place;
  const first = { run: randomUUID(), phase: 'sending', sent: 0, total: totalBytes, beat: now() };
  for (;;) {
    const standing = await state.claim(runKey(place), first, until);
    if (!standing) return createRun(place, { first, until });
    const view = await toAttemptStatus(place, standing);
    if (view.phase !== 'failed') return view;
    if (await state.swap(runKey(place), { from: standing, to: first, until }))
      return createRun(place, { first, until });
  }
}

function createRun(place: RunPlace, { first, until }: { first: JsonObject; until: number }): Run {
  const { state, token, now } = place;
  let noted = first;
  let sentBytes = 0;
  let ended = false;
  // One after the other: a late word of how far it is must not stand over how it ended.
  let last: Promise<unknown> = Promise.resolve();
  const beat = setInterval(() => tell().catch(() => undefined), HEARTBEAT_INTERVAL_MS);
  beat.unref();

  function tell(change: JsonObject = {}): Promise<void> {
    const next = last.then(async () => {
      if (ended) return;
      const to = { ...noted, ...change, sent: sentBytes, beat: now() };
      if (!(await state.swap(runKey(place), { from: noted, to, until }))) throw takenOver();
      noted = to;
    });
    last = next.catch(() => undefined);
    return next;
  }

  return {
    sent(bytes) {
      sentBytes = bytes;
    },
    registering: () => tell({ phase: 'registering' }),
    async end(phase, outcome?: JsonObject) {
      clearInterval(beat);
      await last;
      ended = true;
      const sealed = outcome && (await sealFor(state.secret, token, outcome));
      const to = { ...noted, phase, sent: sentBytes, outcome: sealed };
      const kept = now() + ONE_TIME_URL_TTL_MS;
      // What has happened is noted in any case; what has not leaves a run alone that took this one's place.
      if (phase === 'failed') await state.swap(runKey(place), { from: noted, to, until: kept });
      else await state.note(runKey(place), to, kept);
    },
  };
}

function takenOver(): ToolError {
  return new ToolError(
    'interrupted',
    'This upload stood still for so long that another one took its place. Nothing was registered by it.',
  );
}
