/** Each assumption about the service is verified by a question or listed as unverifiable. */
import { expect, test } from 'vitest';
import { QUESTIONS, TOPICS, UNVERIFIABLE_ASSUMPTIONS } from '../../learn/index.ts';
import * as mcp from '../../mcp/assumptions.ts';
import * as assumptions from '../../src/assumptions/index.ts';

const exported = [...Object.keys(assumptions), ...Object.keys(mcp).map((name) => `mcp/${name}`)];
const verified = QUESTIONS.flatMap(({ assumptions: names }) => names);

test('each exported assumption is verified by a question or listed with the reason it cannot be', () => {
  const open = exported.filter((name) => !verified.includes(name) && !(name in UNVERIFIABLE_ASSUMPTIONS));
  expect(open).toEqual([]);
});

test('questions name only assumptions, and none that is listed as unverifiable', () => {
  expect(verified.filter((name) => !exported.includes(name))).toEqual([]);
  expect(
    Object.keys(UNVERIFIABLE_ASSUMPTIONS).filter((name) => verified.includes(name) || !exported.includes(name)),
  ).toEqual([]);
});

test('question names are unique, each topic has a question, and each question is a sentence', () => {
  expect(new Set(QUESTIONS.map(({ name }) => name)).size).toBe(QUESTIONS.length);
  expect(TOPICS.filter((topic) => !QUESTIONS.some((one) => one.topic === topic))).toEqual([]);
  expect(QUESTIONS.filter(({ question }) => !/^[A-Z].+\?$/.test(question))).toEqual([]);
});
