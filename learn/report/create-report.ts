import type { LearnResult } from '../learn.ts';
import { QUESTIONS, UNVERIFIABLE_ASSUMPTIONS } from '../questions/index.ts';
import type { EvaluationOutcome, EvaluationResult, Question } from '../questions/question.ts';
import { collectFieldNames, createEvidence } from './evidence.ts';
import { countOmittedNames } from './omitted-names.ts';

export interface EvaluatedQuestion extends EvaluationResult {
  readonly question: Question;
  /** Numbers of the responses that the result is based on. */
  readonly evidence: readonly number[];
}

export type Report = ReturnType<typeof createReport>;

/** Maximum number of responses shown per question. */
const MAX_EVIDENCE = 4;

export function createReport(
  result: Pick<LearnResult, 'profile' | 'responses' | 'isServiceName' | 'skippedReasons' | 'stopReason'>,
) {
  const { profile, responses, isServiceName, skippedReasons, stopReason } = result;
  const names = collectFieldNames(profile);
  const evaluations = QUESTIONS.map((question): EvaluatedQuestion => {
    const evaluation = question.evaluate(profile);
    const relevant =
      evaluation.outcome === 'not observed' ? [] : responses.filter(({ request }) => request.topic === question.topic);
    return { question, ...evaluation, evidence: relevant.slice(0, MAX_EVIDENCE).map(({ number }) => number) };
  });
  const count = (outcome: EvaluationOutcome) => evaluations.filter((one) => one.outcome === outcome).length;
  return {
    profile,
    evaluations,
    counts: {
      confirmed: count('confirmed'),
      different: count('different'),
      'not found': count('not found'),
      'not observed': count('not observed'),
    },
    evidence: responses.map((response) => createEvidence(response, { names, isServiceName })),
    omittedNames: countOmittedNames(result),
    unverifiable: Object.entries(UNVERIFIABLE_ASSUMPTIONS),
    skippedReasons,
    stopReason,
  };
}
