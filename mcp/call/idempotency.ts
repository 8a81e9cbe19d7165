import { randomUUID } from 'node:crypto';
import { UnexpectedResponseError, UnknownOutcomeError } from '../../src/errors.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { abortableSleep, type Sleep } from '../abortable-sleep.ts';
import type { SharedState, StateProvider } from '../state/shared-state.ts';
import type { ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';

/** How long a deed is remembered. */
export const IDEMPOTENCY_TTL_MS = 10 * 60_000;
/** For so long the same call at another server is waited for, and only while that one says that it still runs. */
const OTHER_SERVER_TIMEOUT_S = 30;
const HEARTBEAT_TIMEOUT_S = 8;
const HEARTBEAT_INTERVAL_MS = 2000;
const POLL_INTERVAL_MS = 200;
/** Characters of an answer that others get to see whole. */
const MAX_STORED_LENGTH = 32 * 1024;

/** The same call before: `done` with its answer, or `unknown` where nobody can say whether it happened. */
export type PreviousCall =
  | { readonly kind: 'done'; readonly result: ToolResult; readonly secondsAgo: number }
  | { readonly kind: 'unknown'; readonly secondsAgo: number };

/** Remembers what was sent and what may have happened, so that nothing happens twice without a person's word. */
export interface IdempotencyStore {
  find(idempotencyKey: string, options: { signal: AbortSignal }): Promise<PreviousCall | undefined>;
  /**
   * Runs an act. One that is done `deduplicate` runs a single time at all servers together: a second gets the first one's
   * answer. Any act whose outcome stays unknown is remembered as such.
   */
  run(idempotencyKey: string, action: () => Promise<ToolResult>, runOptions: RunOptions): Promise<ToolResult>;
}

interface Heartbeat {
  readonly entry: JsonObject;
  readonly until: number;
}

export interface RunOptions {
  readonly deduplicate: boolean;
  /** What was in doubt was agreed to once more. */
  readonly mayRepeat: boolean;
  readonly signal: AbortSignal;
}

export function createIdempotencyStore(options: {
  state: StateProvider;
  now?: () => number;
  sleep?: Sleep;
}): IdempotencyStore {
  const { now = Date.now, sleep = abortableSleep } = options;
  const serverId = randomUUID();
  /** What runs in this process, with whole answers. */
  const localRuns = new Map<string, { at: number; result: Promise<ToolResult> }>();

  const getStateKey = (idempotencyKey: string) => `deed ${idempotencyKey}`;
  const getSecondsSince = (at: unknown) => Math.max(0, Math.round((now() - Number(at)) / 1000));
  /** What happened is noted even where the state is away just then, and never becomes an error of the call. */
  const recordStatus = async (idempotencyKey: string, status: string, about: JsonObject = {}) =>
    (await options.state()).writeEventually(
      getStateKey(idempotencyKey),
      { status, by: serverId, at: now(), ...about },
      now() + IDEMPOTENCY_TTL_MS,
    );

  function getLocalRun(idempotencyKey: string) {
    for (const [oldKey, { at }] of localRuns) if (now() - at >= IDEMPOTENCY_TTL_MS) localRuns.delete(oldKey);
    return localRuns.get(idempotencyKey);
  }

  async function find(
    idempotencyKey: string,
    { signal }: { signal: AbortSignal },
  ): Promise<PreviousCall | undefined> {
    const localRun = getLocalRun(idempotencyKey);
    const result = await localRun?.result.catch(() => undefined);
    if (localRun && result) return { kind: 'done', result, secondsAgo: getSecondsSince(localRun.at) };
    return findShared(idempotencyKey, signal);
  }

  /** What stands in the state; waits for the end of a call at another server. */
  async function findShared(idempotencyKey: string, signal: AbortSignal): Promise<PreviousCall | undefined> {
    const state = await options.state();
    for (;;) {
      const entry = await state.get(getStateKey(idempotencyKey));
      if (!entry) return undefined;
      const secondsAgo = getSecondsSince(entry['at']);
      // One that has just begun here is told by nobody: two equal writes may be meant.
      if (entry['status'] === 'begun' && entry['by'] === serverId) return undefined;
      if (entry['status'] === 'done') return { kind: 'done', result: fromStoredResult(entry), secondsAgo };
      // Left over by a server that ended in between, or that still waits for the service after all this time.
      const isStale =
        secondsAgo > OTHER_SERVER_TIMEOUT_S ||
        getSecondsSince(entry['alive'] ?? entry['at']) > HEARTBEAT_TIMEOUT_S;
      if (entry['status'] !== 'running' || entry['by'] === serverId || isStale)
        return { kind: 'unknown', secondsAgo };
      await sleep(POLL_INTERVAL_MS, signal);
    }
  }

  /**
   * Notes that it begins, where the note outlives a process that is killed meanwhile. Returns what brings back what stood
   * there before.
   */
  async function recordBegin(idempotencyKey: string): Promise<() => Promise<void>> {
    const state = await options.state();
    if (state.getStatus().backend === 'memory') return async () => undefined;
    const previousEntry = await state.get(getStateKey(idempotencyKey)).catch(() => undefined);
    // Another call of the same that is under way here: its end is the end of both.
    if (previousEntry?.['by'] === serverId && previousEntry['status'] === 'begun')
      return async () => undefined;
    await recordStatus(idempotencyKey, 'begun');
    return async () => {
      if (previousEntry)
        await state.writeEventually(
          getStateKey(idempotencyKey),
          previousEntry,
          Number(previousEntry['at']) + IDEMPOTENCY_TTL_MS,
        );
      else await removeEntry(idempotencyKey);
    };
  }

  /** Runs it, and notes how it ended where a later call of the same must know. */
  async function runRecorded(
    idempotencyKey: string,
    action: () => Promise<ToolResult>,
    deduplicate: boolean,
  ) {
    const revert = deduplicate ? () => removeEntry(idempotencyKey) : await recordBegin(idempotencyKey);
    try {
      const result = await action();
      if (deduplicate)
        await recordStatus(
          idempotencyKey,
          'done',
          toStoredResult(result, (await options.state()).canStoreUserText),
        );
      else await removeEntry(idempotencyKey);
      return result;
    } catch (error) {
      if (isOutcomeUnknown(error)) await recordStatus(idempotencyKey, 'unknown');
      else await revert();
      throw error;
    }
  }

  /** `ranHere`: here and now, and not at another server before. */
  async function runDeduplicated(
    idempotencyKey: string,
    action: () => Promise<ToolResult>,
    { mayRepeat, signal }: RunOptions,
  ) {
    const state = await options.state();
    const entry = { status: 'running', by: serverId, at: now() };
    const until = now() + IDEMPOTENCY_TTL_MS;
    let mayReplace = mayRepeat;
    for (;;) {
      const existing = await state.putIfAbsent(getStateKey(idempotencyKey), entry, until);
      if (!existing) break;
      if (mayReplace && existing['status'] !== 'done') {
        // Of two that were agreed to once more, one goes: the other finds what that one left.
        if (await state.compareAndSwap(getStateKey(idempotencyKey), { from: existing, to: entry, until }))
          break;
        mayReplace = false;
        continue;
      }
      const previousCall = await findShared(idempotencyKey, signal);
      if (previousCall?.kind === 'done') return { result: toRepeatedResult(previousCall), ranHere: false };
      if (previousCall) throw createUnknownOutcomeError(previousCall.secondsAgo);
      // The other one failed without a trace: this one's turn.
    }
    const stopHeartbeats = startHeartbeats(state, idempotencyKey, { entry: entry, until });
    return { result: await runRecorded(idempotencyKey, action, true).finally(stopHeartbeats), ranHere: true };
  }

  /** Says now and then that it still runs; whatever else comes to stand there ends that. */
  function startHeartbeats(
    state: SharedState,
    idempotencyKey: string,
    { entry, until }: Heartbeat,
  ): () => void {
    let from = entry;
    const timer = setInterval(async () => {
      const to = { ...entry, alive: now() };
      const swapped = await state
        .compareAndSwap(getStateKey(idempotencyKey), { from, to, until })
        .catch(() => false);
      if (swapped) from = to;
    }, HEARTBEAT_INTERVAL_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  async function removeEntry(idempotencyKey: string): Promise<void> {
    const state = await options.state();
    const existing = await state.get(getStateKey(idempotencyKey)).catch(() => ({}));
    if (existing) await state.writeEventually(getStateKey(idempotencyKey), undefined, now());
  }

  return {
    find,
    async run(idempotencyKey, action, runOptions) {
      if (!runOptions.deduplicate) return runRecorded(idempotencyKey, action, false);
      const first = getLocalRun(idempotencyKey);
      if (first)
        return toRepeatedResult({ result: await first.result, secondsAgo: getSecondsSince(first.at) });
      // No await before this line: of two calls at once, the second must see the first.
      const outcome = runDeduplicated(idempotencyKey, action, runOptions);
      const result = outcome.then((run) => run.result);
      localRuns.set(idempotencyKey, { at: now(), result });
      // What another server did counts from when it did it.
      outcome.then(
        ({ ranHere }) => ranHere || localRuns.delete(idempotencyKey),
        () => localRuns.delete(idempotencyKey),
      );
      result.catch(() => undefined);
      return result;
    },
  };
}

function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof ToolError) return error.code === 'unknown_outcome';
  // A success that can't be read may have done what was asked.
  return error instanceof UnknownOutcomeError || error instanceof UnexpectedResponseError;
}

/** What other servers get to see of an answer: all of it, or that it was done and to what. */
function toStoredResult(
  { data, unredactedFields, trustedFields }: ToolResult,
  keepsTexts: boolean,
): JsonObject {
  const fullResult: JsonObject = { data, unredactedFields, trustedFields };
  if (keepsTexts && JSON.stringify(fullResult).length <= MAX_STORED_LENGTH) return fullResult;
  const { id, sent, done, deleted } = data;
  return { data: { id, sent, done, deleted } };
}

function fromStoredResult({ data, unredactedFields, trustedFields }: JsonObject): ToolResult {
  return {
    data: isObject(data) ? data : {},
    ...(Array.isArray(unredactedFields) ? { unredactedFields } : {}),
    ...(Array.isArray(trustedFields) ? { trustedFields } : {}),
  };
}

function createUnknownOutcomeError(secondsAgo: number): ToolError {
  return new ToolError(
    'unknown_outcome',
    `The same call was made ${secondsAgo} s ago and has not ended: it may have happened. Look before you repeat it.`,
  );
}

/** What a repeated send answers: the first one's data, and that nothing new happened. */
export function toRepeatedResult(first: { result: ToolResult; secondsAgo: number }): ToolResult {
  return {
    ...first.result,
    data: {
      ...first.result.data,
      repeated: true,
      message: `Refused as a repetition: the same was sent ${first.secondsAgo} s ago, and this is that answer. It can be sent again after ten minutes.`,
    },
    trustedFields: [...(first.result.trustedFields ?? []), 'message'],
  };
}
