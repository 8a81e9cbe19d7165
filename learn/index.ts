/** Learning what the API document leaves open: its public door. */
export { runLearnHere } from './command/run-docshare.ts';
export { type Learned, type LearnOptions, learn } from './learn.ts';
export { QUESTIONS, UNSETTLED } from './questions/index.ts';
export { type Finding, type Question, TOPICS, type Topic, type Verdict } from './questions/question.ts';
