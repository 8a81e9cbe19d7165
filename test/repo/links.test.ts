import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readSources } from '../support/source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
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
