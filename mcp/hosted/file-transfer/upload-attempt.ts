import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/records/fields.ts';
import { decryptForToken, encryptForToken, ONE_TIME_URL_TTL_MS } from '../../pages/one-time-url.ts';
import type { SharedState } from '../../state/shared-state.ts';
import { ToolError } from '../../tool-error.ts';

/**
 * Phase of an upload, shared by all replicas. `sending`: nothing is registered yet. `registering`: the
 * service has or is about to have all of it, so a crash now leaves the outcome unknown. `failed`: nothing was
 * registered, and the URL accepts another attempt.
 */
type UploadPhase = 'sending' | 'registering' | 'done' | 'unknown' | 'failed';

export interface UploadAttemptStatus {
  readonly phase: UploadPhase;
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Result if `done`, error if `failed`. */
  readonly outcome: JsonObject | undefined;
}

export interface UploadAttempt {
  /** Records progress; the state is written only at each heartbeat. */
  sent(bytes: number): void;
  /** Await before sending the last byte. @throws ToolError if another replica has taken over. */
  markRegistering(): Promise<void>;
  end(phase: 'done' | 'failed', outcome: JsonObject): Promise<void>;
  end(phase: 'unknown'): Promise<void>;
}

const HEARTBEAT_INTERVAL_MS = 2000;
/** A replica without a heartbeat for this long has ended. */
const REPLICA_TIMEOUT_MS = 30_000;

export interface UploadAttemptContext {
  readonly state: SharedState;
  readonly hash: string;
  readonly token: string;
  readonly now: () => number;
}

const getAttemptKey = ({ hash }: UploadAttemptContext) => `run ${hash}`;

export async function getAttemptStatus(attemptContext: UploadAttemptContext): Promise<UploadAttemptStatus | undefined> {
  const entry = await attemptContext.state.get(getAttemptKey(attemptContext));
  return entry && toAttemptStatus(attemptContext, entry);
}

async function toAttemptStatus(
  { state, token, now }: UploadAttemptContext,
  entry: JsonObject,
): Promise<UploadAttemptStatus> {
  const { phase: stored, sent, total, beat, outcome } = entry;
  const progress = { sentBytes: Number(sent), totalBytes: Number(total) };
  const isLost = (stored === 'sending' || stored === 'registering') && now() - Number(beat) > REPLICA_TIMEOUT_MS;
  if (isLost)
    return stored === 'sending'
      ? { ...progress, phase: 'failed', outcome: INTERRUPTED }
      : { ...progress, phase: 'unknown', outcome: undefined };
  return { ...progress, phase: stored as UploadPhase, outcome: await decryptForToken(state.secret, token, outcome) };
}

const INTERRUPTED = {
  code: 'interrupted',
  message: 'The server stopped during the upload. Nothing was saved. Upload the file again.',
};

interface AttemptOptions {
  readonly totalBytes: number;
  readonly until: number;
  readonly onEnd: (phase: UploadPhase) => Promise<void>;
}

/**
 * Starts an attempt if none is running or finished, one at a time across replicas; otherwise returns the
 * other's status.
 */
export async function beginAttempt(
  attemptContext: UploadAttemptContext,
  options: AttemptOptions,
): Promise<UploadAttempt | UploadAttemptStatus> {
  const { state, now } = attemptContext;
  const { totalBytes, until } = options;
  const initial = { run: randomUUID(), phase: 'sending', sent: 0, total: totalBytes, beat: now() };
  for (;;) {
    const existing = await state.putIfAbsent(getAttemptKey(attemptContext), initial, until);
    if (!existing) return createAttempt(attemptContext, { ...options, initial });
    const status = await toAttemptStatus(attemptContext, existing);
    if (status.phase !== 'failed') return status;
    if (await state.compareAndSwap(getAttemptKey(attemptContext), { from: existing, to: initial, until }))
      return createAttempt(attemptContext, { ...options, initial });
  }
}

function createAttempt(
  attemptContext: UploadAttemptContext,
  { initial, until, onEnd }: AttemptOptions & { readonly initial: JsonObject },
): UploadAttempt {
  const { state, token, now } = attemptContext;
  let stored = initial;
  let sentBytes = 0;
  let ended = false;
  // In order, so that late progress can't overwrite the outcome.
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
      // A final outcome is always recorded; a failure must not overwrite an attempt that took this one's place.
      const key = getAttemptKey(attemptContext);
      if (phase !== 'failed') await state.writeEventually(key, to, expiresAt);
      else if (!(await state.compareAndSwap(key, { from: stored, to, until: expiresAt }))) return;
      await onEnd(phase).catch(() => undefined);
    },
  };
}

function createTakenOverError(): ToolError {
  return new ToolError(
    'interrupted',
    'This upload stalled and another one replaced it. Nothing was saved by this one.',
  );
}
