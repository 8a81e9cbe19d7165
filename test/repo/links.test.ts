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

/** The anchors of a page's headings, as hosts of repositories make them. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link of a page leads to a file and a heading that are there', () => {
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

test('every file that a page names for its proof is there', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`(test\/[\w./-]+\.ts)`/g)].map(([, path = '']) => ({ page, path })),
  );
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});

test('every message that the troubleshooting page looks up is one that a program says', () => {
  const said = readSources(['src', 'learn', 'mcp', 'sandbox', 'scripts'])
    .map(({ text }) => text.replaceAll("\\'", "'"))
    .join('\n');
  const rows = [...read('docs/troubleshooting.md').matchAll(/^\| `([^`]+)` \|/gm)].map(([, words = '']) => words);
  expect(rows.length).toBeGreaterThan(15);
  // What is filled in when it is said: a version, the name of a file.
  const isSaid = (words: string) =>
    said.includes(words) ||
    said.includes(words.replace('22.19', `\${LEAST.join('.')}`)) ||
    (words.startsWith('Outdated: ') && said.includes('Outdated: ${'));
  expect(rows.filter((words) => !isSaid(words))).toEqual([]);
});
