import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { getPackages } from '../../tools/mutants/modules.ts';
import { describeMutant, sampleMutants } from '../../tools/mutants/sample.ts';

test('each folder of unit tests is named after a module, or after a package', () => {
  const modules = getPackages().flatMap((item) => item.modules.map((name) => name.replace(/^src\//, 'core/')));
  const folders = globSync('test/unit/*/*/**/*.test.ts').map((path) => dirname(path).replace('test/unit/', ''));
  expect(folders.filter((folder) => !modules.includes(folder))).toEqual([]);
});

test('a sample has at most the requested number of mutants and counts nested ones', () => {
  const at = (line: number, [start, end]: [number, number]) => {
    const location = { start: { line, column: start }, end: { line, column: end } };
    return { path: 'a.ts', mutant: { mutatorName: 'Some', replacement: `${line}`, location } };
  };
  const mutants = [1, 2, 3, 4].flatMap((line) => [at(line, [1, 20]), at(line, [2, 5]), at(line, [7, 9])]);
  for (const size of [1, 2, 5, 12, 20]) {
    const { ranges, count } = sampleMutants(mutants, { size, seed: 'x' });
    const inside = mutants.filter(({ mutant: { location } }) => {
      const [line, first, last] = [location.start.line, location.start.column, location.end.column];
      const onLine = ranges.flatMap(({ range }) => (range?.start.line === line ? range : []));
      return onLine.some(({ start, end }) => start.column <= first && end.column >= last);
    });
    expect(count).toBeLessThanOrEqual(size);
    expect(inside.length).toBe(count);
  }
  const picks = ['x', 'y'].map((seed) => JSON.stringify(sampleMutants(mutants, { size: 5, seed }).ranges));
  expect(picks[0]).not.toBe(picks[1]);
  expect(describeMutant(at(3, [2, 5]))).toContain('a.ts:3:2');
});
