import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DIRECT_TESTS } from '../../tools/mutants/direct-tests.ts';
import { getTestPaths } from '../../tools/mutants/stored-scores.ts';

test('each file whose mutants are counted is there, and so are its direct tests', () => {
  const files = Object.keys(DIRECT_TESTS);
  const named = files.flatMap((file) => [file, ...getTestPaths(file)]);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(files.filter((file) => getTestPaths(file).length === 0)).toEqual([]);
});
