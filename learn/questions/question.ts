import type { ServiceProfile } from '../../src/profile/service-profile.ts';

/** Groups of questions, and the values of `--only`. */
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
] as const;
export type Topic = (typeof TOPICS)[number];

export type EvaluationOutcome = 'confirmed' | 'different' | 'not found' | 'not observed';

export interface EvaluationResult {
  readonly outcome: EvaluationOutcome;
  /** Sentence for the report, without values of the account. */
  readonly observation: string;
}

/** A detail that the API document leaves open, and how to evaluate what was observed about it. */
interface QuestionDefinition {
  readonly topic: Topic;
  readonly section: `§${number}`;
  readonly question: string;
  /** Exports of `src/assumptions` that this verifies, or of `mcp/assumptions.ts` (`mcp/DRAFT_STATES`). */
  readonly assumptions: readonly string[];
  /** Evaluates the profile alone, so that it works for an existing profile too. */
  readonly evaluate: (profile: ServiceProfile) => EvaluationResult;
}

export interface Question extends QuestionDefinition {
  readonly name: string;
}

/** Questions by name. */
export type QuestionTable = Readonly<Record<string, QuestionDefinition>>;
