/** Every guess about the service is settled by a question, or named as one that no answer can settle. */
import { expect, test } from 'vitest';
import { QUESTIONS, TOPICS, UNVERIFIABLE_ASSUMPTIONS } from '../../learn/index.ts';
import * as mcp from '../../mcp/assumptions.ts';
import * as assumptions from '../../src/assumptions/index.ts';

const guesses = [...Object.keys(assumptions), ...Object.keys(mcp).map((name) => `mcp/${name}`)];
const settled = QUESTIONS.flatMap(({ assumptions: settles }) => settles);

test('each export of the assumptions is settled by a question, or says why no answer can settle it', () => {
  const open = guesses.filter((name) => !settled.includes(name) && !(name in UNVERIFIABLE_ASSUMPTIONS));
  expect(open).toEqual([]);
});

test('no question settles what is no guess, and nothing that is settled is said to be open', () => {
  expect(settled.filter((name) => !guesses.includes(name))).toEqual([]);
  expect(
    Object.keys(UNVERIFIABLE_ASSUMPTIONS).filter((name) => settled.includes(name) || !guesses.includes(name)),
  ).toEqual([]);
});

test('questions have names of their own, each topic has one, and each says how it is asked and judged', () => {
  expect(new Set(QUESTIONS.map(({ name }) => name)).size).toBe(QUESTIONS.length);
  expect(TOPICS.filter((topic) => !QUESTIONS.some((one) => one.topic === topic))).toEqual([]);
  const said = QUESTIONS.flatMap(({ question, probe, confirmedWhen }) => [question, probe, confirmedWhen]);
  expect(said.filter((words) => !/^["§`\w].+[.?]$/s.test(words))).toEqual([]);
});
