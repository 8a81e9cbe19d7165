import { LIST_QUESTIONS } from './list-questions.ts';
import { METRIC_QUESTIONS } from './metric-questions.ts';
import { OBJECT_QUESTIONS } from './object-questions.ts';
import { QUERY_QUESTIONS } from './query-questions.ts';
import type { Question } from './question.ts';
import { REJECTION_QUESTIONS } from './rejection-questions.ts';
import { WRITE_QUESTIONS } from './write-questions.ts';

/** Everything that is asked. */
export const QUESTIONS: readonly Question[] = [
  ...LIST_QUESTIONS,
  ...QUERY_QUESTIONS,
  ...OBJECT_QUESTIONS,
  ...METRIC_QUESTIONS,
  ...REJECTION_QUESTIONS,
  ...WRITE_QUESTIONS,
];

/** Exports of the assumptions that no answer can settle, each with the reason. */
export const UNVERIFIABLE_ASSUMPTIONS: Readonly<Record<string, string>> = {
  API_KEYS_URL: 'The page where keys are made is no part of the API: nothing that it answers names it.',
  isSecretName:
    'What is hidden as a secret is our own decision; an answer could only show that more has to be.',
  MAX_BATCH_EVENTS: 'A bound of our own against deliveries that would cost too much.',
  SIGNATURE_TOLERANCE_MS: 'A bound of our own; a service that signs later than that can not be waited for.',
  DEFAULT_SIGNATURE_HEADERS: 'What our own signing of test events writes.',
  EXPIRED_URL_STATUSES: 'It shows only when an address ends, and addresses are never followed.',
  FAILED_2XX:
    'A failure within a 2xx comes when it comes: nothing that is asked is known to bring one about.',
  TIME_FILTER: 'A filter is the caller’s own, and the learner asks with none.',
  getSigningSendBodies: 'The learner never sends anything to anybody.',
};
