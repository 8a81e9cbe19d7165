import { expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { findCycle, folderFor, type ImportEdge, importsIn, readSources } from '../support/source-files.ts';

const files = readSources(['src', 'learn', 'mcp', 'zapier', 'sandbox', 'test', 'scripts']);
const imports = importsIn(files);

/** What each top room may import of the others; `test` and `scripts` may import everything. */
const ALLOWED_IMPORTS: Readonly<Record<string, RegExp>> = {
  src: /^src\//,
  learn: /^(learn|src)\//,
  zapier: /^(zapier|src)\//,
  mcp: /^(mcp|src)\/|^(sandbox|learn)\/index\.ts$/,
  sandbox:
    /^sandbox\/|^src\/(operations\/|profile\/|assumptions\/index\.ts$|scopes\.ts$|timer\.ts$|words\.ts$|version\.ts$|command-line\.ts$|make-folder\.ts$|for-terminal\.ts$|events\/sign-event\.ts$)/,
};

/**
 * The rooms of `src` from the ground up: each imports only from those before it, and from the ground files that
 * everybody may use. The files at the top of `src` stand on all of them.
 */
const BASE_FILES = [
  'src/loopback.ts',
  'src/did-you-mean.ts',
  'src/errors.ts',
  'src/exact-json.ts',
  'src/media-type.ts',
  'src/scopes.ts',
  'src/timer.ts',
  'src/split-words.ts',
];
const SRC_LAYERS = [
  'operations',
  'profile',
  'assumptions',
  'retry',
  'wire',
  'limit',
  'answer',
  'pagination',
  'events',
  'call',
  'download',
  'upload',
];

/** The rooms of `mcp` and the files at its top, from the ground up: each imports only from those before it. */
const MCP_LAYERS = [
  'tool-error.ts',
  'canonical.ts',
  'assumptions.ts',
  'home.ts',
  'compile-cache.ts',
  'state',
  'files',
  'contract',
  'answer',
  'account',
  'record',
  'call',
  'tools',
  'menu',
  'resources',
  'views',
  'server.ts',
  'setup',
  'doctor',
  'start',
  'hosted',
  'main.ts',
];

/** The layers of `sandbox`, lowest first: each folder imports only from those before it. The files at its top come last. */
const SANDBOX_LAYERS = [
  'sandbox/base',
  'sandbox/filesystem',
  'sandbox/profile',
  'sandbox/service-profile',
  'sandbox/state',
  'sandbox/demo-data',
  'sandbox/pdf',
  'sandbox/storage',
  'sandbox/handlers',
  'sandbox/fixtures',
  'sandbox/persistence',
  'sandbox/render',
  'sandbox/render/learned',
  'sandbox/webhooks',
  'sandbox/server',
  'sandbox/control',
  'sandbox/pages/layout',
  'sandbox/pages/reader',
  'sandbox/pages/console',
  'sandbox/pages',
  'sandbox',
];

test('no file is longer than 400 lines, and half of them have at most 90', () => {
  const lengths = files.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
  const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(90);
});

test('no line is longer than 240 characters; the formatter breaks all but words at 110', () => {
  const long = files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (line.length > 240 ? [`${path}:${index + 1}`] : [])),
  );
  expect(long.filter((place) => !place.startsWith('sandbox/pages/layout/stylesheet.ts'))).toEqual([]);
});

test('each top room imports only what its border allows', () => {
  const crossings = imports.filter(
    ({ from, to }) => ALLOWED_IMPORTS[from.split('/')[0] ?? '']?.test(to) === false,
  );
  expect(crossings).toEqual([]);
});

test('of the sandbox only what plays a learned service reads the guesses: tests would agree with them', () => {
  const readers = imports.filter(
    ({ from, to }) =>
      from.startsWith('sandbox/') &&
      !/^sandbox\/(service-profile|render\/learned)\//.test(from) &&
      /^src\/(assumptions\/|words)/.test(to),
  );
  expect(readers).toEqual([]);
});

test('no import leads in a circle, not even one of types only', () => {
  expect(findCycle(imports)).toEqual([]);
});

test('the rooms of src stand on each other in one order', () => {
  const floorOf = (path: string) => SRC_LAYERS.indexOf(path.split('/')[1] ?? '');
  const isAllowed = ({ from, to }: ImportEdge) => {
    if (folderFor(from) === folderFor(to) || BASE_FILES.includes(to)) return true;
    // Uploads are written in the client's own methods, of which they take the types.
    if (folderFor(from) === 'src/upload' && to === 'src/methods.ts') return true;
    if (BASE_FILES.includes(from)) return to.startsWith('src/scopes');
    return folderFor(to) !== 'src' && (folderFor(from) === 'src' || floorOf(to) < floorOf(from));
  };
  const within = imports.filter(({ from, to }) => from.startsWith('src/') && to.startsWith('src/'));
  expect(within.filter((arrow) => !isAllowed(arrow))).toEqual([]);
  const rooms = new Set(files.map(({ path }) => folderFor(path)).filter((room) => room.startsWith('src/')));
  expect([...rooms].map((room) => room.slice('src/'.length)).sort()).toEqual([...SRC_LAYERS].sort());
});

test('the rooms of mcp stand on each other in one order', () => {
  const floorOf = (path: string) => MCP_LAYERS.indexOf(path.split('/')[1] ?? '');
  const within = imports.filter(({ from, to }) => from.startsWith('mcp/') && to.startsWith('mcp/'));
  expect(within.filter(({ from, to }) => floorOf(to) > floorOf(from))).toEqual([]);
  const floors = new Set(
    files.map(({ path }) => path.split('/')).flatMap(([top, floor]) => (top === 'mcp' ? floor : [])),
  );
  expect([...floors].sort()).toEqual([...MCP_LAYERS].sort());
});

test('each folder of the sandbox imports only from the layers before it', () => {
  const layerOf = (path: string) => SANDBOX_LAYERS.indexOf(path.split('/').slice(0, -1).join('/'));
  const within = imports.filter(({ from, to }) => from.startsWith('sandbox/') && to.startsWith('sandbox/'));
  expect(within.filter(({ from, to }) => layerOf(to) > layerOf(from))).toEqual([]);
  const folders = new Set(
    files
      .map(({ path }) => path)
      .filter((path) => path.startsWith('sandbox/'))
      .map((path) => path.split('/').slice(0, -1).join('/')),
  );
  expect([...folders].sort()).toEqual([...SANDBOX_LAYERS].sort());
});

test('no two files of the sandbox share a name', () => {
  const names = files
    .map(({ path }) => path)
    .filter((path) => path.startsWith('sandbox/'))
    .map((path) => path.split('/').at(-1));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('no file or folder is named after a category', () => {
  const refused = /(^|\/)(utils?|helpers?|commons?|lib|types|misc|manager|service-?v2)(\.ts|\/)/;
  expect(files.map(({ path }) => path).filter((path) => refused.test(path))).toEqual([]);
});

test('each catalogue entry is told in one sentence, which editors show on hover', () => {
  for (const { name } of operations) {
    const [group, key] = name.split('.');
    const text = files.find(({ path }) => path === `src/operations/${group}.ts`)?.text ?? '';
    expect(text, name).toMatch(new RegExp(`/\\*\\* [A-Z][^*]+\\. \\*/\\n  ${key}: operation\\({`));
  }
});
