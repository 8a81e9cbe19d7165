import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { operations } from '../src/operations/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function sources(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(^|\/)(dist|build|node_modules)\//.test(name))
    .map((name) => `${folder}/${name}`);
}

const ROOMS = ['src', 'mcp', 'zapier', 'sandbox', 'test', 'scripts'];
const files = ROOMS.flatMap(sources).map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));

/** What each room may import of the others; `test` and `scripts` may import everything. */
const BORDERS: Readonly<Record<string, RegExp>> = {
  src: /^src\//,
  zapier: /^(zapier|src)\//,
  mcp: /^(mcp|src)\/|^sandbox\/index\.ts$/,
  sandbox: /^sandbox\/|^src\/(operations\/|scopes\.ts$)/,
};

test('no file is longer than 400 lines, and half of them have at most 90', () => {
  const lengths = files.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
  const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(90);
});

test('each room imports only what its border allows', () => {
  const crossings = files.flatMap(({ path, text }) => {
    const border = BORDERS[path.split('/')[0] ?? ''];
    if (!border) return [];
    return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
      .map(([, target = '']) => new URL(target, `file:///${path}`).pathname.slice(1))
      .filter((target) => !border.test(target))
      .map((target) => `${path} -> ${target}`);
  });
  expect(crossings).toEqual([]);
});

test('no file or folder is named after a category', () => {
  const refused = /(^|\/)(utils?|helpers?|commons?|lib|types|misc|manager|service-?v2)(\.ts|\/)/;
  expect(files.map(({ path }) => path).filter((path) => refused.test(path))).toEqual([]);
});

test('the hover text of each catalogue entry is its summary', () => {
  const catalogueFiles = files.filter(({ path }) => path.startsWith('src/operations/'));
  for (const { name, operation } of operations) {
    const [group, key] = name.split('.');
    const text = catalogueFiles.find(({ path }) => path.endsWith(`/${group}.ts`))?.text ?? '';
    expect(text, name).toContain(`/** ${operation.summary} */\n  ${key}: operation({`);
  }
});
