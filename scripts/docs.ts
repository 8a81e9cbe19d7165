/**
 * Writes the generated blocks of README.md and docs/*.md; with `--check` it only compares, and fails where one is stale.
 * A block stands between `<!-- generated:NAME -->` and `<!-- /generated -->`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptions } from './read-options.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { check = false } = readOptions({ check: { type: 'boolean' } });
// Reads the whole house: who mistyped an option need not wait for it.
const { blocks } = await import('./docs-blocks.ts');
const pages = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const stale: string[] = [];
const used = new Set<string>();

for (const page of pages) {
  const before = readFileSync(page, 'utf8');
  const after = before.replace(
    /(<!-- generated:(\w+) -->\n)[\s\S]*?(<!-- \/generated -->)/g,
    (_, open, name: string, close) => {
      const block = blocks[name];
      if (!block) throw new Error(`${page}: no block is named ${name}; known: ${Object.keys(blocks).join(', ')}`);
      used.add(name);
      return `${open}\n${block()}\n\n${close}`;
    },
  );
  if (after === before) continue;
  if (check) stale.push(page);
  else writeFileSync(page, after);
}

const unused = Object.keys(blocks).filter((name) => !used.has(name));
if (unused.length > 0) throw new Error(`No page shows the generated block ${unused.join(', ')}`);
if (stale.length > 0) {
  console.error(`Stale generated blocks in ${stale.join(', ')}: run npm run docs`);
  process.exit(1);
}
console.log(`docs: ${used.size} generated blocks ${check ? 'are current' : 'written'}`);
