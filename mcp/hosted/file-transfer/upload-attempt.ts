import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/records/fields.ts';
import type { SharedState } from '../../state/shared-state.ts';
import { ToolError } from '../../tool-error.ts';
import { decryptForToken, encryptForToken, ONE_TIME_URL_TTL_MS } from '../one-time-url.ts';

/**
 * One file on its way through, as all replicas see it. `sending`: nothing can have been registered yet; `registering`: the
 * service has all of it, or is about to, so that a replica which ends now leaves it unknown; `failed`: nothing was
 * registered, and the address takes another try.
 */
export type UploadPhase = 'sending' | 'registering' | 'done' | 'unknown' | 'failed';

export interface UploadAttemptStatus {
  readonly phase: UploadPhase;
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Of `done` what the upload answered, of `failed` why. */
  readonly outcome: JsonObject | undefined;
}

export interface UploadAttempt {
  /** Notes how far it is; seldom enough for the state. */
  sent(bytes: number): void;
  /** To be awaited before the last byte leaves. @throws ToolError where another replica has taken over meanwhile. */
  markRegistering(): Promise<void>;
  end(phase: 'done' | 'failed', outcome: JsonObject): Promise<void>;
  end(phase: 'unknown'): Promise<void>;
}

const HEARTBEAT_INTERVAL_MS = 2000;
/** A replica that was not heard of for so long has ended. */
const REPLICA_TIMEOUT_MS = 30_000;

export interface UploadAttemptContext {
  readonly state: SharedState;
  readonly hash: string;
  readonly token: string;
  readonly now: () => number;
}

const getAttemptKey = ({ hash }: UploadAttemptContext) => `run ${hash}`;

export async function getAttemptStatus(
  attemptContext: UploadAttemptContext,
): Promise<UploadAttemptStatus | undefined> {
  const entry = await attemptContext.state.get(getAttemptKey(attemptContext));
  return entry && toAttemptStatus(attemptContext, entry);
}

async function toAttemptStatus(
  { state, token, now }: UploadAttemptContext,
  entry: JsonObject,
): Promise<UploadAttemptStatus> {
  const { phase: stored, sent, total, beat, outcome } = entry;
  const progress = { sentBytes: Number(sent), totalBytes: Number(total) };
  const isLost =
    (stored === 'sending' || stored === 'registering') && now() - Number(beat) > REPLICA_TIMEOUT_MS;
  if (isLost)
    return stored === 'sending'
      ? { ...progress, phase: 'failed', outcome: INTERRUPTED }
      : { ...progress, phase: 'unknown', outcome: undefined };
  return {
    ...progress,
    phase: stored as UploadPhase,
    outcome: await decryptForToken(state.secret, token, outcome),
  };
}

const INTERRUPTED = {
  code: 'interrupted',
  message: 'The server that took the file ended in the middle. Nothing was registered: hand it over again.',
};

/** Begins a run where none is under way or has ended, one at a time among all replicas; else how the other one stands. */
export async function beginAttempt(
  attemptContext: UploadAttemptContext,
  { totalBytes, until }: { totalBytes: number; until: number },
): Promise<UploadAttempt | UploadAttemptStatus> {
  const { state, now } = attemptContext;
  const initial = { run: randomUUID(), phase: 'sending', sent: 0, total: totalBytes, beat: now() };
  for (;;) {
    const existing = await state.putIfAbsent(getAttemptKey(attemptContext), initial, until);
    if (!existing) return createAttempt(attemptContext, { initial, until });
    const status = await toAttemptStatus(attemptContext, existing);
    if (status.phase !== 'failed') return status;
    if (await state.compareAndSwap(getAttemptKey(attemptContext), { from: existing, to: initial, until }))
      return createAttempt(attemptContext, { initial, until });
  }
}

function createAttempt(
  attemptContext: UploadAttemptContext,
  { initial, until }: { initial: JsonObject; until: number },
): UploadAttempt {
  const { state, token, now } = attemptContext;
  let stored = initial;
  let sentBytes = 0;
  let ended = false;
  // One after the other: a late word of how far it is must not stand over how it ended.
  let pendingSave: Promise<unknown> = Promise.resolve();
  const beat = setInterval(() => save().catch(() => undefined), HEARTBEAT_INTERVAL_MS);
  beat.unref();

  function save(change: JsonObject = {}): Promise<void> {
    const next = pendingSave.then(async () => {
      if (ended) return;
      const to = { ...stored, ...change, sent: sentBytes, beat: now() };
      if (!(await state.compareAndSwap(getAttemptKey(attemptContext), { from: stored, to, until })))
        throw createTakenOverError();
      stored = to;
    });
    pendingSave = next.catch(() => undefined);
    return next;
  }

  return {
    sent(bytes) {
      sentBytes = bytes;
    },
    markRegistering: () => save({ phase: 'registering' }),
    async end(phase, outcome?: JsonObject) {
      clearInterval(beat);
      await pendingSave;
      ended = true;
      const sealed = outcome && (await encryptForToken(state.secret, token, outcome));
      const to = { ...stored, phase, sent: sentBytes, outcome: sealed };
      const expiresAt = now() + ONE_TIME_URL_TTL_MS;
      // What has happened is noted in any case; what has not leaves a run alone that took this one's place.
      if (phase === 'failed')
        await state.compareAndSwap(getAttemptKey(attemptContext), { from: stored, to, until: expiresAt });
      else await state.writeEventually(getAttemptKey(attemptContext), to, expiresAt);
    },
  };
}

function createTakenOverError(): ToolError {
  return new ToolError(
    'interrupted',
    'This upload stood still for so long that another one took its place. Nothing was registered by it.',
  );
}
