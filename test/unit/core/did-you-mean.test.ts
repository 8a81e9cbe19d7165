import { expect, test } from 'vitest';
import { findClosestMatch } from '../../../src/did-you-mean.ts';

test.each([
  ['redonly', ['read-only', 'files'], 'read-only'],
  ['Read_Only', ['read-only'], 'read-only'],
  ['limk', ['link', 'file'], 'link'],
  ['documents', ['list_documents', 'links'], 'list_documents'],
  ['zzz', ['link'], undefined],
  ['a', [], undefined],
  ['', ['abc'], undefined],
  ['x'.repeat(500), ['link'], undefined],
])('the closest match to %s in %j is %s', (name, known, match) => {
  expect(findClosestMatch(name, known)).toBe(match);
});
