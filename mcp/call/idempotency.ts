import { randomUUID } from 'node:crypto';
import { UnexpectedResponseError, UnknownOutcomeError } from '../../src/errors.ts';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { abortableSleep, type Sleep } from '../abortable-sleep.ts';
import type { SharedState, StateProvider } from '../state/shared-state.ts';
import { addTrustedFields } from '../tool/add-trusted-fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';

export const IDEMPOTENCY_TTL_MS = 10 * 60_000;
/** How long to wait for the same call on another server, while its heartbeats continue. */
const OTHER_SERVER_TIMEOUT_S = 30;
const HEARTBEAT_TIMEOUT_S = 8;
const HEARTBEAT_INTERVAL_MS = 2000;
const POLL_INTERVAL_MS = 200;
/** Maximum characters of a result that is shared in full. */
const MAX_STORED_LENGTH = 32 * 1024;

/** Result of an earlier identical call, or `unknown` if its outcome is unknown. */
export type PreviousCall =
  | { readonly kind: 'done'; readonly result: ToolResult; readonly secondsAgo: number }
  | { readonly kind: 'unknown'; readonly secondsAgo: number };

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export interface RunOptions {
  readonly deduplicate: boolean;
  /** The user approved repeating a call with an unknown outcome. */
  readonly mayRepeat: boolean;
  /** Keys of the separate calls that together do the same. */
  readonly parts?: readonly string[];
  readonly signal: AbortSignal;
}

/** Remembers writes, so that none is repeated without confirmation. */
export function createIdempotencyStore(options: { state: StateProvider; now?: () => number; sleep?: Sleep }) {
  const { now = Date.now, sleep = abortableSleep } = options;
  const serverId = randomUUID();
  /** Runs of this process, with full results. */
  const localRuns = new Map<string, { at: number; result: Promise<ToolResult> }>();

  const getStateKey = (idempotencyKey: string) => `call ${idempotencyKey}`;
  const getSecondsSince = (at: unknown) => Math.max(0, Math.round((now() - Number(at)) / 1000));
  /** Never fails the call: written later if the state is unavailable. */
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

  async function find(idempotencyKey: string, { signal }: { signal: AbortSignal }): Promise<PreviousCall | undefined> {
    const localRun = getLocalRun(idempotencyKey);
    const result = await localRun?.result.catch(() => undefined);
    if (localRun && result) return { kind: 'done', result, secondsAgo: getSecondsSince(localRun.at) };
    return findShared(idempotencyKey, signal);
  }

  /** Reads the shared state; waits for a running call on another server. */
  async function findShared(idempotencyKey: string, signal: AbortSignal): Promise<PreviousCall | undefined> {
    const state = await options.state();
    for (;;) {
      const entry = await state.get(getStateKey(idempotencyKey));
      if (!entry) return undefined;
      const secondsAgo = getSecondsSince(entry['at']);
      // A call of this server that has just begun is ignored: two equal writes may be intended.
      if (entry['status'] === 'begun' && entry['by'] === serverId) return undefined;
      if (entry['status'] === 'done') return { kind: 'done', result: fromStoredResult(entry), secondsAgo };
      // Left over by a server that stopped, or still waiting for the service.
      const isStale =
        secondsAgo > OTHER_SERVER_TIMEOUT_S || getSecondsSince(entry['alive'] ?? entry['at']) > HEARTBEAT_TIMEOUT_S;
      if (entry['status'] !== 'running' || entry['by'] === serverId || isStale) return { kind: 'unknown', secondsAgo };
      await sleep(POLL_INTERVAL_MS, signal);
    }
  }

  /** Stores that the call begins, if the state outlives this process. Returns a function that restores the old entry. */
  async function recordBegin(idempotencyKey: string): Promise<() => Promise<void>> {
    const state = await options.state();
    if (state.getStatus().backend === 'memory') return async () => undefined;
    const previousEntry = await state.get(getStateKey(idempotencyKey)).catch(() => undefined);
    // An identical call is running here: its end covers both.
    if (previousEntry?.['by'] === serverId && previousEntry['status'] === 'begun') return async () => undefined;
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

  /** Runs the action and stores the outcome for later identical calls. */
  async function runRecorded(
    idempotencyKey: string,
    action: () => Promise<ToolResult>,
    { deduplicate, parts = [] }: Pick<RunOptions, 'deduplicate' | 'parts'>,
  ) {
    const revert = deduplicate ? () => removeEntry(idempotencyKey) : await recordBegin(idempotencyKey);
    try {
      const result = await action();
      if (deduplicate)
        await recordStatus(idempotencyKey, 'done', toStoredResult(result, (await options.state()).canStoreUserText));
      else await removeEntry(idempotencyKey);
      for (const [index, part] of parts.entries())
        await (result.unknownParts?.includes(index) ? recordStatus(part, 'unknown') : removeEntry(part));
      return result;
    } catch (error) {
      if (isOutcomeUnknown(error)) await recordStatus(idempotencyKey, 'unknown');
      else await revert();
      throw error;
    }
  }

  /** `ranHere`: whether this call ran the action, not an earlier one on another server. */
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
        // Of two approved repetitions one runs; the other gets its result.
        if (await state.compareAndSwap(getStateKey(idempotencyKey), { from: existing, to: entry, until })) break;
        mayReplace = false;
        continue;
      }
      const previousCall = await findShared(idempotencyKey, signal);
      if (previousCall?.kind === 'done') return { result: toRepeatedResult(previousCall), ranHere: false };
      if (previousCall)
        throw new ToolError(
          'unknown_outcome',
          `The same call was made ${previousCall.secondsAgo} s ago and its outcome is unknown. Check the current state before retrying.`,
        );
      // The other call failed without effect: run this one.
    }
    const stopHeartbeats = startHeartbeats(state, idempotencyKey, { entry, until });
    return {
      result: await runRecorded(idempotencyKey, action, { deduplicate: true }).finally(stopHeartbeats),
      ranHere: true,
    };
  }

  /** Updates the entry regularly while the action runs; stops having an effect once another entry replaces it. */
  function startHeartbeats(
    state: SharedState,
    idempotencyKey: string,
    { entry, until }: { entry: JsonObject; until: number },
  ): () => void {
    let from = entry;
    const timer = setInterval(async () => {
      const to = { ...entry, alive: now() };
      const swapped = await state.compareAndSwap(getStateKey(idempotencyKey), { from, to, until }).catch(() => false);
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
    /**
     * Runs an action. With `deduplicate` it runs once on all servers together; an identical call gets its result. An unknown
     * outcome is always stored.
     */
    async run(idempotencyKey: string, action: () => Promise<ToolResult>, runOptions: RunOptions): Promise<ToolResult> {
      if (!runOptions.deduplicate) return runRecorded(idempotencyKey, action, runOptions);
      const first = getLocalRun(idempotencyKey);
      if (first) return toRepeatedResult({ result: await first.result, secondsAgo: getSecondsSince(first.at) });
      // No await before this line: of two concurrent calls, the second must see the first.
      const outcome = runDeduplicated(idempotencyKey, action, runOptions);
      const result = outcome.then((run) => run.result);
      localRuns.set(idempotencyKey, { at: now(), result });
      // A result of another server expires with its own entry.
      outcome.then(
        ({ ranHere }) => ranHere || localRuns.delete(idempotencyKey),
        () => localRuns.delete(idempotencyKey),
      );
      result.catch(() => undefined);
      return result;
    },
  };
}

/** Returns whether a failed write may have run. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof ToolError) return error.code === 'unknown_outcome';
  // A success response that can't be parsed may have done the write.
  return error instanceof UnknownOutcomeError || error instanceof UnexpectedResponseError;
}

/** The full result, or only its status and id if it is too long or the store must not hold user text. */
function toStoredResult(result: ToolResult, canStoreUserText: boolean): JsonObject {
  const { data, unredactedFields, trustedFields } = result;
  const fullResult: JsonObject = { data, unredactedFields, trustedFields };
  if (canStoreUserText && JSON.stringify(fullResult).length <= MAX_STORED_LENGTH) return fullResult;
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

/** Result of a repeated call: the first one's data, marked as repeated. */
export function toRepeatedResult(first: { result: ToolResult; secondsAgo: number }): ToolResult {
  const repeated = { ...first.result, data: { ...first.result.data, repeated: true } };
  return addTrustedFields(repeated, {
    // An agreement has a "message" too.
    next: `Nothing was sent now, also no changed fields: this object was sent ${first.secondsAgo} s ago, and this is the result of that call. It can be sent again after ten minutes.`,
  });
}
