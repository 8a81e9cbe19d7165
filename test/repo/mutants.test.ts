import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { getPackages } from '../../tools/mutants/modules.ts';

test('each folder of unit tests is named after a module, or after a package', () => {
  const modules = getPackages().flatMap((item) => item.modules.map((name) => name.replace(/^src\//, 'core/')));
  const folders = globSync('test/unit/*/*/**/*.test.ts').map((path) => dirname(path).replace('test/unit/', ''));
  expect(folders.filter((folder) => !modules.includes(folder))).toEqual([]);
});
