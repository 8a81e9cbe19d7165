import type { ServiceProfile } from '../../src/profile/format.ts';
import type { Learned } from '../learn.ts';
import { QUESTIONS, UNSETTLED } from '../questions/index.ts';
import type { Finding, Question, Verdict } from '../questions/question.ts';
import { collectFieldNames, createEvidence, type Evidence } from './evidence.ts';
import { type LeftOut, leftOut } from './left-out.ts';

export interface Judged extends Finding {
  readonly question: Question;
  /** The answers that tell, by their numbers. */
  readonly evidence: readonly number[];
}

/** Everything that is reported, before it is drawn. */
export interface Report {
  readonly profile: ServiceProfile;
  readonly judged: readonly Judged[];
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly evidence: readonly Evidence[];
  readonly unsettled: readonly (readonly [string, string])[];
  /** How many names were left out, by the kind of object. */
  readonly leftOut: readonly LeftOut[];
  readonly gaps: readonly string[];
  readonly ended: string | undefined;
}

/** So many answers of a topic are enough to look at. */
const MAX_EVIDENCE = 4;

export function makeReport(
  learned: Pick<Learned, 'profile' | 'answers' | 'isOwn' | 'gaps' | 'ended'>,
): Report {
  const { profile, answers, isOwn, gaps, ended } = learned;
  const names = collectFieldNames(profile);
  const judged = QUESTIONS.map((question): Judged => {
    const finding = question.judge(profile);
    const told =
      finding.verdict === 'unseen' ? [] : answers.filter(({ asked }) => asked.topic === question.topic);
    return { question, ...finding, evidence: told.slice(0, MAX_EVIDENCE).map(({ n }) => n) };
  });
  const count = (verdict: Verdict) => judged.filter((one) => one.verdict === verdict).length;
  return {
    profile,
    judged,
    counts: { confirmed: count('confirmed'), other: count('other'), unseen: count('unseen') },
    evidence: answers.map((answer) => createEvidence(answer, { names, isOwn })),
    leftOut: leftOut(learned),
    unsettled: Object.entries(UNSETTLED),
    gaps,
    ended,
  };
}
