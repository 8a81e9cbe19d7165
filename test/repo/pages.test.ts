import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as core from '../../src/index.ts';
import { root } from '../support/root-folder.ts';
import { readSources } from '../support/source-files.ts';

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];
const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** The anchors of a page's headings, as Git hosts generate them. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link of a page leads to an existing file and heading', () => {
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([link, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, target))) return [`${page}: ${link}`];
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
          ? [`${page}: ${link}`]
          : [];
      },
    ),
  );
  expect(dead).toEqual([]);
});

test('every file that a page cites as proof exists', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`(test\/[\w./-]+\.ts)`/g)].map(([, path = '']) => ({ page, path })),
  );
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});

test('every name of the code that a page for maintainers cites exists', () => {
  const sources = readSources(['src', 'learn', 'mcp', 'sandbox', 'zapier', 'scripts', 'tools', 'test']);
  const names = new Set(sources.flatMap(({ text }) => text.match(/\w+/g) ?? []));
  const cited = ['AGENTS.md', 'docs/architecture.md', 'docs/decisions.md', 'docs/testing.md'].flatMap((page) =>
    [...read(page).matchAll(/`([a-z]+[A-Z]\w*)(?:\(\))?`/g)].map(([, name = '']) => ({ page, name })),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ name }) => !names.has(name))).toEqual([]);
});

test('every message on the troubleshooting page occurs in a program', () => {
  const said = readSources(['src', 'learn', 'mcp', 'sandbox', 'scripts'])
    .map(({ text }) => text.replaceAll("\\'", "'"))
    .join('\n');
  const rows = [...read('docs/troubleshooting.md').matchAll(/^\| `([^`]+)` \|/gm)].map(([, words = '']) => words);
  expect(rows.length).toBeGreaterThan(15);
  // Placeholders: a version, the name of a file.
  const isSaid = (words: string) =>
    said.includes(words) ||
    said.includes(words.replace('22.19', `\${LEAST.join('.')}`)) ||
    (words.startsWith('Outdated: ') && said.includes('Outdated: ${'));
  expect(rows.filter((words) => !isSaid(words))).toEqual([]);
});

test.each(['docs/architecture.md', 'docs/adding-an-operation.md', 'AGENTS.md'])('every path in %s exists', (page) => {
  const named = [...read(page).matchAll(/(?<![\w/.-])(?:src|mcp|zapier|sandbox|test|docs|scripts)\/[\w/.-]*\w/g)];
  const paths = new Set(named.map(([path]) => path));
  expect(paths.size).toBeGreaterThan(3);
  // The page about adding an operation invents a Zap.
  const invented = ['zapier/creates/duplicate-link.ts', 'test/core/x.test.ts', 'zapier/dist'];
  expect([...paths].filter((path) => !invented.includes(path) && !existsSync(`${root}${path}`))).toEqual([]);
});

test('every guide in docs is linked from the README or from a page that it links to', () => {
  const pages = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'));
  const linked = (text: string) => [...text.matchAll(/\]\((?:docs\/)?([\w-]+\.md)/g)].map(([, name = '']) => name);
  const reached = new Set<string>();
  const queue = [...linked(read('README.md')), ...linked(read('AGENTS.md'))];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name) || !pages.includes(name)) continue;
    reached.add(name);
    queue.push(...linked(read(`docs/${name}`)));
  }
  expect(pages.filter((name) => !reached.has(name))).toEqual([]);
});

test('the two commands are at the top of the README, word for word', () => {
  const top = read('README.md').split('\n').slice(0, 22);
  expect(top).toContain('npm ci && npm run demo');
  expect(top).toContain('npm ci && npm test');
});

const page = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');

test('the page names every export of the package', () => {
  expect(Object.keys(core).filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});

test.each([
  'CreateClientOptions',
  'ClientOptions',
  'Client',
  'DisposableClient',
  'RequestOptions',
  'Hooks',
  'UploadOptions',
  'FinalizedUpload',
  'Download',
  'DownloadBody',
  'SaveOptions',
  'DownloadOptions',
  'SavedFile',
  'DownloadProgress',
  'ServiceEvent',
  'SignatureOptions',
  'LimitStore',
  'RetryPolicy',
])('the page names every member of %s', (name) => {
  const text = readSources(['src']).find((file) => file.text.includes(`export interface ${name} `))?.text ?? '';
  const [, body = ''] = text.split(`export interface ${name} `)[1]?.match(/\{\n([\s\S]*?)\n\}/) ?? [];
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)(?:\?|:|\()/gm)].map(([, member = '']) => member);
  expect(text, name).not.toBe('');
  expect(members.filter((member) => !new RegExp(`\\b${member}\\b`).test(page))).toEqual([]);
});
