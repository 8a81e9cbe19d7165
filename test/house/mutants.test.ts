import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DIRECT } from '../../scripts/mutants/direct-tests.ts';
import { testsOf } from '../../scripts/mutants/kept-scores.ts';

test('each file whose mutants are counted is there, and so are its direct tests', () => {
  const files = Object.keys(DIRECT);
  const named = files.flatMap((file) => [file, ...testsOf(file)]);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(files.filter((file) => testsOf(file).length === 0)).toEqual([]);
});
