/** Public entry point of `docshare learn`. */
export { runLearnCli } from './cli/run-docshare.ts';
export { type LearnOptions, type LearnResult, learn } from './learn.ts';
export { QUESTIONS, UNVERIFIABLE_ASSUMPTIONS } from './questions/index.ts';
export {
  type EvaluationOutcome,
  type EvaluationResult,
  type Question,
  TOPICS,
  type Topic,
} from './questions/question.ts';
