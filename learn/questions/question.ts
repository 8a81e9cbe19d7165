import type { ServiceProfile } from '../../src/profile/service-profile.ts';

/** What belongs together: `--only` takes these names. */
export const TOPICS = [
  'lists',
  'paging',
  'query',
  'objects',
  'files',
  'analytics',
  'billing',
  'errors',
  'keys',
  'headers',
  'uploads',
  'writes',
  'webhooks',
  'events',
  'limit',
] as const;
export type Topic = (typeof TOPICS)[number];

/** `read` changes nothing; `write` makes throwaway objects; `visit` needs a person; `limit` uses the limit up. */
export type ProbeMode = 'read' | 'write' | 'visit' | 'limit';

export type EvaluationOutcome = 'confirmed' | 'other' | 'unseen';

export interface EvaluationResult {
  readonly outcome: EvaluationOutcome;
  /** In words, without a value of the account. */
  readonly observation: string;
}

/** One thing that the API document leaves open, and what settles it. */
export interface Question {
  readonly name: string;
  readonly topic: Topic;
  readonly section: `§${number}`;
  readonly question: string;
  /** Exports of `src/assumptions` that the answer settles; those of an adapter with its name before: `mcp/DRAFT_STATES`. */
  readonly assumptions: readonly string[];
  readonly mode: ProbeMode;
  /** How it is asked. */
  readonly probe: string;
  /** What makes it `confirmed`; anything else that was seen is `other`. */
  readonly confirmedWhen: string;
  /** Decides from what was learned alone, so that a profile can be judged again later. */
  readonly evaluate: (profile: ServiceProfile) => EvaluationResult;
}
