/**
 * Generates blocks of README.md and docs/*.md, between `<!-- generated:NAME -->` and `<!-- /generated -->`, and the client's
 * types. With `--check` it changes nothing, and fails if one is outdated.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptions } from './read-options.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { check = false } = readOptions({ check: { type: 'boolean' } });
// Imported late, so that a mistyped option is reported at once.
const { blocks } = await import('./docs-blocks.ts');
const { CLIENT_TYPES } = await import('./client-types.ts');
const pages = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const stale: string[] = [];
const used = new Set<string>();

function update(path: string, generate: (before: string) => string): void {
  const before = readFileSync(path, 'utf8');
  const after = generate(before);
  if (after === before) return;
  if (check) stale.push(path);
  else writeFileSync(path, after);
}

for (const page of pages)
  update(page, (text) =>
    text.replace(/(<!-- generated:(\w+) -->\n)[\s\S]*?(<!-- \/generated -->)/g, (_, open, name: string, close) => {
      const block = blocks[name];
      if (!block) throw new Error(`${page}: no block is named ${name}; known: ${Object.keys(blocks).join(', ')}`);
      used.add(name);
      return `${open}\n${block()}\n\n${close}`;
    }),
  );
for (const [path, generate] of Object.entries(CLIENT_TYPES))
  update(path, () =>
    execFileSync('biome', ['format', `--stdin-file-path=${path}`], { input: generate(), encoding: 'utf8' }),
  );

const unused = Object.keys(blocks).filter((name) => !used.has(name));
if (unused.length > 0) throw new Error(`No page uses the generated block ${unused.join(', ')}`);
if (stale.length > 0) {
  console.error(`Outdated: ${stale.join(', ')}. Run npm run docs.`);
  process.exit(1);
}
console.log(`docs: ${used.size} generated blocks ${check ? 'are current' : 'written'}`);
