/** Files of one project share workers: what one of them loads, the others meet. */
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { ALONE, ZAPIER } from '../../vitest.config.ts';
import { importsIn, readSources } from '../support/source-files.ts';

/** Loads it when it runs: by an import of values, by `import()` or by a `require`. */
const loads = (name: string) =>
  new RegExp(`^(?:import (?!type\\b)[^;]*from |.*(?:import|require|\\(import\\.meta\\.url\\))\\()'${name}['/]`, 'm');

const files = readSources(['src', 'learn', 'mcp', 'zapier', 'sandbox', 'test', 'scripts']);
const targets = Map.groupBy(importsIn(files), ({ from }) => from);

/** The test files that load it, themselves or by what they import. */
function testsThatLoad(name: string): readonly string[] {
  const loading = new Set(files.filter(({ text }) => loads(name).test(text)).map(({ path }) => path));
  const reaches = (path: string, seen = new Set<string>()): boolean => {
    if (loading.has(path)) return true;
    if (seen.has(path)) return false;
    seen.add(path);
    return (targets.get(path) ?? []).some(({ to }) => reaches(to, seen));
  };
  return files.map(({ path }) => path).filter((path) => path.endsWith('.test.ts') && reaches(path));
}
const isAmong = (path: string, globs: readonly string[]) => globs.some((glob) => matchesGlob(path, glob));

test.each([
  ['zapier-platform-core', [...ZAPIER, ...ALONE]],
  ['nock', ALONE],
])('what loads %s, which changes HTTP for its whole process, shares no worker with others', (name, globs) => {
  const found = testsThatLoad(name);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((path) => !isAmong(path, globs))).toEqual([]);
});
