import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each(['docs/architecture.md', 'docs/adding-an-operation.md', 'AGENTS.md'])(
  'every file and folder that %s names exists',
  (page) => {
    const text = readFileSync(`${root}${page}`, 'utf8');
    const named = [...text.matchAll(/(?<![\w/.-])(?:src|mcp|zapier|sandbox|test|docs|scripts)\/[\w/.-]*\w/g)];
    const paths = new Set(named.map(([path]) => path));
    expect(paths.size).toBeGreaterThan(3);
    // The page about adding an operation invents a Zap.
    const invented = ['zapier/creates/duplicate-link.ts', 'test/core/x.test.ts', 'zapier/dist'];
    expect([...paths].filter((path) => !invented.includes(path) && !existsSync(`${root}${path}`))).toEqual([]);
  },
);

test('every guide in docs is linked from the README or from a page that it links to', () => {
  const pages = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'));
  const linked = (text: string) => [...text.matchAll(/\]\((?:docs\/)?([\w-]+\.md)/g)].map(([, name = '']) => name);
  const reached = new Set<string>();
  const queue = [
    ...linked(readFileSync(`${root}README.md`, 'utf8')),
    ...linked(readFileSync(`${root}AGENTS.md`, 'utf8')),
  ];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name) || !pages.includes(name)) continue;
    reached.add(name);
    queue.push(...linked(readFileSync(`${root}docs/${name}`, 'utf8')));
  }
  expect(pages.filter((name) => !reached.has(name))).toEqual([]);
});
