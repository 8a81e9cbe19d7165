import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '../../src/answer/fields.ts';
import { UnexpectedResponseError, UnknownOutcomeError } from '../../src/errors.ts';
import type { ToolResult } from '../contract/tool.ts';
import type { OpenState, SharedState } from '../state/shared-state.ts';
import { ToolError } from '../tool-error.ts';
import { type Pause, timedPause } from './pause.ts';

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
export type Past =
  | { readonly kind: 'done'; readonly answer: ToolResult; readonly secondsAgo: number }
  | { readonly kind: 'unknown'; readonly secondsAgo: number };

/** Remembers what was sent and what may have happened, so that nothing happens twice without a person's word. */
export interface DeedLedger {
  find(deed: string, options: { signal: AbortSignal }): Promise<Past | undefined>;
  /**
   * Runs an act. One that is done `once` runs a single time at all servers together: a second gets the first one's
   * answer. Any act whose outcome stays unknown is remembered as such.
   */
  run(deed: string, act: () => Promise<ToolResult>, running: Running): Promise<ToolResult>;
}

interface Said {
  readonly standing: JsonObject;
  readonly until: number;
}

export interface Running {
  readonly once: boolean;
  /** What was in doubt was agreed to once more. */
  readonly again: boolean;
  readonly signal: AbortSignal;
}

export function createDeedLedger(options: {
  state: OpenState;
  now?: () => number;
  pause?: Pause;
}): DeedLedger {
  const { now = Date.now, pause = timedPause } = options;
  const self = randomUUID();
  /** What runs in this process, with whole answers. */
  const own = new Map<string, { at: number; answer: Promise<ToolResult> }>();

  const getStateKey = (deed: string) => `deed ${deed}`;
  const ago = (at: unknown) => Math.max(0, Math.round((now() - Number(at)) / 1000));
  /** What happened is noted even where the state is away just then, and never becomes an error of the call. */
  const note = async (deed: string, status: string, about: JsonObject = {}) =>
    (await options.state()).note(
      getStateKey(deed),
      { status, by: self, at: now(), ...about },
      now() + IDEMPOTENCY_TTL_MS,
    );

  function ownAnswer(deed: string) {
    for (const [old, { at }] of own) if (now() - at >= IDEMPOTENCY_TTL_MS) own.delete(old);
    return own.get(deed);
  }

  async function find(deed: string, { signal }: { signal: AbortSignal }): Promise<Past | undefined> {
    const mine = ownAnswer(deed);
    const answer = await mine?.answer.catch(() => undefined);
    if (mine && answer) return { kind: 'done', answer, secondsAgo: ago(mine.at) };
    return findShared(deed, signal);
  }

  /** What stands in the state; waits for the end of a call at another server. */
  async function findShared(deed: string, signal: AbortSignal): Promise<Past | undefined> {
    const state = await options.state();
    for (;;) {
      const entry = await state.get(getStateKey(deed));
      if (!entry) return undefined;
      const secondsAgo = ago(entry['at']);
      // One that has just begun here is told by nobody: two equal writes may be meant.
      if (entry['status'] === 'begun' && entry['by'] === self) return undefined;
      if (entry['status'] === 'done') return { kind: 'done', answer: kept(entry), secondsAgo };
      // Left over by a server that ended in between, or that still waits for the service after all this time.
      const isOver =
        secondsAgo > OTHER_SERVER_TIMEOUT_S || ago(entry['alive'] ?? entry['at']) > HEARTBEAT_TIMEOUT_S;
      if (entry['status'] !== 'running' || entry['by'] === self || isOver)
        return { kind: 'unknown', secondsAgo };
      await pause(POLL_INTERVAL_MS, signal);
    }
  }

  /**
   * Notes that it begins, where the note outlives a process that is killed meanwhile. Returns what brings back what stood
   * there before.
   */
  async function begin(deed: string): Promise<() => Promise<void>> {
    const state = await options.state();
    if (state.condition().carrier === 'memory') return async () => undefined;
    const before = await state.get(getStateKey(deed)).catch(() => undefined);
    // Another call of the same that is under way here: its end is the end of both.
    if (before?.['by'] === self && before['status'] === 'begun') return async () => undefined;
    await note(deed, 'begun');
    return async () => {
      if (before) await state.note(getStateKey(deed), before, Number(before['at']) + IDEMPOTENCY_TTL_MS);
      else await forget(deed);
    };
  }

  /** Runs it, and notes how it ended where a later call of the same must know. */
  async function runNoted(deed: string, act: () => Promise<ToolResult>, once: boolean) {
    const takeBack = once ? () => forget(deed) : await begin(deed);
    try {
      const answer = await act();
      if (once) await note(deed, 'done', toStoredResult(answer, (await options.state()).keepsTexts));
      else await forget(deed);
      return answer;
    } catch (error) {
      if (isInDoubt(error)) await note(deed, 'unknown');
      else await takeBack();
      throw error;
    }
  }

  /** `ran`: here and now, and not at another server before. */
  async function runOnce(deed: string, act: () => Promise<ToolResult>, { again, signal }: Running) {
    const state = await options.state();
    const entry = { status: 'running', by: self, at: now() };
    const until = now() + IDEMPOTENCY_TTL_MS;
    let doubted = again;
    for (;;) {
      const standing = await state.claim(getStateKey(deed), entry, until);
      if (!standing) break;
      if (doubted && standing['status'] !== 'done') {
        // Of two that were agreed to once more, one goes: the other finds what that one left.
        if (await state.swap(getStateKey(deed), { from: standing, to: entry, until })) break;
        doubted = false;
        continue;
      }
      const past = await findShared(deed, signal);
      if (past?.kind === 'done') return { answer: repeated(past), ran: false };
      if (past) throw inDoubt(past.secondsAgo);
      // The other one failed without a trace: this one's turn.
    }
    const stop = sayAlive(state, deed, { standing: entry, until });
    return { answer: await runNoted(deed, act, true).finally(stop), ran: true };
  }

  /** Says now and then that it still runs; whatever else comes to stand there ends that. */
  function sayAlive(state: SharedState, deed: string, { standing, until }: Said): () => void {
    let from = standing;
    const timer = setInterval(async () => {
      const to = { ...standing, alive: now() };
      const swapped = await state.swap(getStateKey(deed), { from, to, until }).catch(() => false);
      if (swapped) from = to;
    }, HEARTBEAT_INTERVAL_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  async function forget(deed: string): Promise<void> {
    const state = await options.state();
    const standing = await state.get(getStateKey(deed)).catch(() => ({}));
    if (standing) await state.note(getStateKey(deed), undefined, now());
  }

  return {
    find,
    async run(deed, act, running) {
      if (!running.once) return runNoted(deed, act, false);
      const first = ownAnswer(deed);
      if (first) return repeated({ answer: await first.answer, secondsAgo: ago(first.at) });
      // No await before this line: of two calls at once, the second must see the first.
      const outcome = runOnce(deed, act, running);
      const answer = outcome.then((one) => one.answer);
      own.set(deed, { at: now(), answer });
      // What another server did counts from when it did it.
      outcome.then(
        ({ ran }) => ran || own.delete(deed),
        () => own.delete(deed),
      );
      answer.catch(() => undefined);
      return answer;
    },
  };
}

function isInDoubt(error: unknown): boolean {
  if (error instanceof ToolError) return error.code === 'unknown_outcome';
  // A success that can't be read may have done what was asked.
  return error instanceof UnknownOutcomeError || error instanceof UnexpectedResponseError;
}

/** What other servers get to see of an answer: all of it, or that it was done and to what. */
function toStoredResult(
  { data, unredactedFields, trustedFields }: ToolResult,
  keepsTexts: boolean,
): JsonObject {
  const whole: JsonObject = { data, reveals: unredactedFields, own: trustedFields };
  if (keepsTexts && JSON.stringify(whole).length <= MAX_STORED_LENGTH) return whole;
  const { id, sent, done, deleted } = data;
  return { data: { id, sent, done, deleted } };
}

function kept({ data, reveals, own }: JsonObject): ToolResult {
  return {
    data: isObject(data) ? data : {},
    ...(Array.isArray(reveals) ? { unredactedFields: reveals } : {}),
    ...(Array.isArray(own) ? { trustedFields: own } : {}),
  };
}

function inDoubt(secondsAgo: number): ToolError {
  return new ToolError(
    'unknown_outcome',
    `The same call was made ${secondsAgo} s ago and has not ended: it may have happened. Look before you repeat it.`,
  );
}

/** What a repeated send answers: the first one's data, and that nothing new happened. */
export function repeated(first: { answer: ToolResult; secondsAgo: number }): ToolResult {
  return {
    ...first.answer,
    data: {
      ...first.answer.data,
      repeated: true,
      message: `Refused as a repetition: the same was sent ${first.secondsAgo} s ago, and this is that answer. It can be sent again after ten minutes.`,
    },
    trustedFields: [...(first.answer.trustedFields ?? []), 'message'],
  };
}
