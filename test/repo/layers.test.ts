import { describe, expect, test } from 'vitest';
import { operations } from '../../src/index.ts';
import { getPackages } from '../../tools/mutants/modules.ts';
import { ALLOWED_IMPORTS, BASE_FILES, LAYERS } from '../support/layers.ts';
import { findCycle, importsIn, readSources } from '../support/source-files.ts';

const files = readSources(['src', 'learn', 'mcp', 'zapier', 'sandbox', 'test', 'scripts', 'tools']);
const imports = importsIn(files);

test('no file is longer than 400 lines, and half of them have at most 90', () => {
  const lengths = files.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
  const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(90);
});

test('no line is longer than 240 characters; the formatter wraps code at 120', () => {
  const long = files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (line.length > 240 ? [`${path}:${index + 1}`] : [])),
  );
  expect(long.filter((place) => !/^sandbox\/pages\/layout\/stylesheet\.ts|^test\/\w+\/texts\.ts/.test(place))).toEqual(
    [],
  );
});

test('each package imports only from its allowed packages', () => {
  expect(imports.filter(({ from, to }) => ALLOWED_IMPORTS[from.split('/')[0] ?? '']?.test(to) === false)).toEqual([]);
});

test('in the sandbox, only the code that plays learned services imports assumptions; otherwise tests would agree with them', () => {
  const readers = imports.filter(
    ({ from, to }) =>
      from.startsWith('sandbox/') &&
      !/^sandbox\/(service-profile|render\/learned)\//.test(from) &&
      /^src\/(assumptions\/|words)/.test(to),
  );
  expect(readers).toEqual([]);
});
test('there are no import cycles, including type-only imports', () => {
  expect(findCycle(imports)).toEqual([]);
});

describe.each(Object.entries(LAYERS))('%s', (name, layers) => {
  const inside = (path: string) => path.slice(name.length + 1);
  /** The layer of the longest folder, or of the file itself, that contains the path. */
  const layerIn = (path: string) => {
    const parts = inside(path).split('/');
    for (let length = parts.length; length > 0; length -= 1) {
      const index = layers.indexOf(parts.slice(0, length).join('/'));
      if (index >= 0) return index;
    }
    return parts.length === 1 ? layers.indexOf('.') : -1;
  };
  const isBase = (path: string) => name === 'src' && BASE_FILES.includes(inside(path));
  const own = imports.filter(({ from, to }) =>
    [from, to].every((path) => path.startsWith(`${name}/`) && path.endsWith('.ts')),
  );

  test('assigns every file to a layer', () => {
    const outside = files.filter(({ path }) => path.startsWith(`${name}/`) && layerIn(path) < 0);
    expect(outside.map(({ path }) => path)).toEqual([]);
    const unused = layers.filter(
      (_, index) => !files.some(({ path }) => path.startsWith(`${name}/`) && layerIn(path) === index),
    );
    expect(unused).toEqual([]);
  });

  test('imports nothing from a higher layer', () => {
    expect(own.filter(({ from, to }) => !isBase(to) && (isBase(from) || layerIn(to) > layerIn(from)))).toEqual([]);
  });

  test('has no two folders that import each other', () => {
    const getFolder = (path: string) => path.split('/').slice(0, -1).join('/');
    const pairs = new Set(own.map(({ from, to }) => `${getFolder(from)} ${getFolder(to)}`));
    const mutual = [...pairs].filter((pair) => {
      const [from, to] = pair.split(' ');
      return from !== to && pairs.has(`${to} ${from}`) && ![from, to].includes(name);
    });
    expect(mutual).toEqual([]);
  });
});

test('no file or folder is named after a category', () => {
  const refused = /(^|\/)(utils?|helpers?|commons?|lib|types|misc|manager|service-?v2)(\.ts|\/)/;
  expect(files.map(({ path }) => path).filter((path) => refused.test(path))).toEqual([]);
});

test('each catalog entry has a doc comment of one sentence', () => {
  for (const { name } of operations) {
    const [group, key] = name.split('.');
    const text = files.find(({ path }) => path === `src/operations/${group}.ts`)?.text ?? '';
    expect(text, name).toMatch(new RegExp(`/\\*\\* [A-Z][^*]+\\. \\*/\\n  ${key}: defineOperation\\({`));
  }
});

test('each folder of unit tests is named after a module, or after a package', () => {
  const modules = getPackages().flatMap((item) => item.modules.map((name) => name.replace(/^src\//, 'core/')));
  const folders = files.flatMap(({ path }) => /^test\/unit\/(.+\/.+)\/[^/]+\.test\.ts$/.exec(path)?.[1] ?? []);
  expect(folders.filter((folder) => !modules.includes(folder))).toEqual([]);
});
