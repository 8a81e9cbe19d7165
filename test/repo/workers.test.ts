/** Files of one project share workers, so modules that one file loads affect the others. */
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { ALONE, ZAPIER } from '../../vitest.config.ts';
import { importsIn, readSources } from '../support/source-files.ts';

/** Matches a runtime load: an import of values, `import()` or `require`. */
const loads = (name: string) =>
  new RegExp(`^(?:import (?!type\\b)[^;]*from |.*(?:import|require|\\(import\\.meta\\.url\\))\\()'${name}['/]`, 'm');

const files = readSources(['src', 'learn', 'mcp', 'zapier', 'sandbox', 'test', 'scripts']);
const targets = Map.groupBy(importsIn(files), ({ from }) => from);

/** The test files that load it, directly or through their imports. */
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
])('test files that load %s, which changes HTTP for its whole process, share no worker with others', (name, globs) => {
  const found = testsThatLoad(name);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((path) => !isAmong(path, globs))).toEqual([]);
});
