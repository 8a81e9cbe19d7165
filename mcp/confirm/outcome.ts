import type { SharedState } from '../state/shared-state.ts';
import type { ToolResult } from '../tool/tool.ts';

/**
 * Outcome of a question. Only `accepted` and `declined` are decisions of a person; after all others the action is
 * undone and can be asked about again. `not_shown`: the host returned an error or a malformed answer, or can't show
 * questions; `too_fast`: answered before anybody could have read it; `abandoned`: the call that asked has ended.
 */
export type AnswerOutcome = (typeof ANSWER_OUTCOMES)[number];
export const ANSWER_OUTCOMES = [
  'accepted',
  'declined',
  'dismissed',
  'not_shown',
  'too_fast',
  'timed_out',
  'abandoned',
] as const;

export const DECLINE_TTL_MS = 10 * 60_000;

/** A person needs at least this long to read a question and answer it. */
export const MIN_ANSWER_MS = 1000;

/** Declined actions, shared by all servers that share the state. */
export interface DeclineStore {
  /** Seconds since one of the effects was declined; undefined if none was. */
  find(effectKeys: readonly string[]): Promise<number | undefined>;
  add(effectKeys: readonly string[]): Promise<void>;
  remove(effectKeys: readonly string[]): Promise<void>;
}

export function createDeclineStore(state: SharedState, options: { now?: () => number } = {}): DeclineStore {
  const { now = Date.now } = options;
  return {
    async find(effectKeys) {
      const entries = await Promise.all(effectKeys.map((key) => state.get(getDeclineStateKey(key))));
      const [last] = entries.flatMap((entry) => (entry ? [Number(entry['at'])] : [])).toSorted((a, b) => b - a);
      return last === undefined ? undefined : Math.max(0, Math.round((now() - last) / 1000));
    },
    // A decline counts even if the state is unavailable right now.
    async add(effectKeys) {
      const [entry, until] = [{ at: now() }, now() + DECLINE_TTL_MS];
      await Promise.all(effectKeys.map((key) => state.writeEventually(getDeclineStateKey(key), entry, until)));
    },
    async remove(effectKeys) {
      await Promise.all(effectKeys.map((key) => state.remove(getDeclineStateKey(key))));
    },
  };
}

const getDeclineStateKey = (effectKey: string) => `declined ${effectKey}`;

/** A host's answer to a form. */
export interface FormAnswer {
  readonly action: string;
  readonly content: unknown;
  readonly elapsedMs: number;
}

/** Only a form that was accepted with the box ticked, after time to read it, counts as approval. */
export function parseFormAnswer({ action, content, elapsedMs }: FormAnswer, minAnswerMs: number): AnswerOutcome {
  if (elapsedMs < minAnswerMs) return 'too_fast';
  if (action === 'decline') return 'declined';
  if (action === 'cancel') return 'dismissed';
  if (action !== 'accept' || typeof content !== 'object' || content === null) return 'not_shown';
  const isChecked = Object.hasOwn(content, 'confirm') ? (content as { confirm?: unknown }).confirm : undefined;
  // A host that returns no box has not shown the form as it is: the page asks instead.
  return typeof isChecked === 'boolean' ? (isChecked ? 'accepted' : 'dismissed') : 'not_shown';
}

export type NotDoneReason = Exclude<AnswerOutcome, 'accepted'> | 'pending' | 'duplicate' | 'over_budget' | 'changed';

/** Result of a call that did not act. `next` tells the model and the user what to do. */
export function toNotDoneResult(outcome: NotDoneReason, next: string): ToolResult {
  return { data: { done: false, outcome, next: `Nothing was done. ${next}` }, trustedFields: ['outcome', 'next'] };
}

export function toDeclinedResult(secondsAgo: number): ToolResult {
  const when = secondsAgo > 1 ? ` ${secondsAgo} s ago` : '';
  return toNotDoneResult(
    'declined',
    `The user declined this${when}. The decline holds for ten minutes, whatever else the call changes. Ask the user what they want instead; do not try another way.`,
  );
}

/** Advice for the user if no question reaches them. */
export const UNREACHED_ADVICE =
  'Tell them to use a host that shows forms, or to run this server on a machine that can open a browser. For unattended jobs only, the operator can start it with --confirm unattended.';
