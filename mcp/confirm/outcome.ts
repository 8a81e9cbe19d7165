import type { SharedState } from '../state/shared-state.ts';
import type { ConfirmationResult } from './confirmable-call.ts';

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
export function createDeclineStore(state: SharedState, { now }: { now: () => number }) {
  const getStateKey = (effectKey: string) => `declined ${effectKey}`;
  return {
    /** Seconds since one of the effects was declined; undefined if none was. */
    async find(effectKeys: readonly string[]): Promise<number | undefined> {
      const entries = await Promise.all(effectKeys.map((key) => state.get(getStateKey(key))));
      const [last] = entries.flatMap((entry) => (entry ? [Number(entry['at'])] : [])).toSorted((a, b) => b - a);
      return last === undefined ? undefined : Math.max(0, Math.round((now() - last) / 1000));
    },
    /** A decline counts even if the state is unavailable right now. */
    async add(effectKeys: readonly string[]): Promise<void> {
      const [entry, until] = [{ at: now() }, now() + DECLINE_TTL_MS];
      await Promise.all(effectKeys.map((key) => state.writeEventually(getStateKey(key), entry, until)));
    },
    async remove(effectKeys: readonly string[]): Promise<void> {
      await Promise.all(effectKeys.map((key) => state.remove(getStateKey(key))));
    },
  };
}

/** Only a form that was accepted with the box ticked, after time to read it, counts as approval. */
export function parseFormAnswer(
  { action, content, elapsedMs }: { action: string; content: unknown; elapsedMs: number },
  minAnswerMs: number,
): AnswerOutcome {
  if (elapsedMs < minAnswerMs) return 'too_fast';
  if (action === 'decline') return 'declined';
  if (action === 'cancel') return 'dismissed';
  if (action !== 'accept' || typeof content !== 'object' || content === null) return 'not_shown';
  const isChecked = Object.hasOwn(content, 'confirm') ? (content as { confirm?: unknown }).confirm : undefined;
  // A host that returns no box has not shown the form as it is: the page asks instead.
  return typeof isChecked === 'boolean' ? (isChecked ? 'accepted' : 'dismissed') : 'not_shown';
}

export type NotDoneReason = Exclude<AnswerOutcome, 'accepted'> | 'pending' | 'duplicate' | 'over_budget' | 'changed';

/** Result of a call that does not act. `next` tells the model and the user what to do. */
export function createNotDoneResult(outcome: NotDoneReason, next: string): ConfirmationResult {
  const data = { done: false, outcome, next: `Nothing was done. ${next}` };
  return { approved: false, result: { data, trustedFields: ['outcome', 'next'] } };
}

export function createDeclinedResult(secondsAgo: number): ConfirmationResult {
  const when = secondsAgo > 1 ? ` ${secondsAgo} s ago` : '';
  return createNotDoneResult(
    'declined',
    `The user declined this${when}. The decline holds for ten minutes, whatever else the call changes. Ask the user what they want instead; do not try another way.`,
  );
}

/** Advice for the user if no question reaches them. */
export const UNREACHED_ADVICE =
  'Tell them to use a host that shows forms, or to run this server on a machine that can open a browser. For unattended jobs only, the operator can start it with --confirm unattended.';
