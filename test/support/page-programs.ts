/** The programs of a page, each as a file that can be run and checked. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface PageProgram {
  /** The heading above it, and its number on the page. */
  readonly title: string;
  readonly text: string;
}

/** Every block of TypeScript, in its order; one without a client of its own gets the page's. */
export function programsOf(page: string): readonly PageProgram[] {
  const text = readFileSync(join(root, page), 'utf8');
  const programs: PageProgram[] = [];
  let heading = '';
  for (const [, title, block] of text.matchAll(/^#+ (.+)$|^```ts\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    if (block !== undefined) programs.push({ title: `${programs.length + 1}, ${heading}`, text: whole(block) });
  }
  return programs;
}

function whole(block: string): string {
  const own = /\bcreateClient\(|\bdefineClient\(/.test(block) || !/\bclient\./.test(block);
  if (own) return block;
  const imports = block.match(/^import .*\n/gm)?.join('') ?? '';
  const rest = block.replace(/^import .*\n/gm, '');
  return `import { createClient } from 'docshare';\n${imports}\nconst client = createClient();\n${rest}\nawait client.close();\n`;
}

/** A folder inside `dist`, so that the import of 'docshare' finds this package itself. */
export function writePrograms(programs: readonly PageProgram[]): { folders: readonly string[]; remove(): void } {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const top = mkdtempSync(join(root, 'dist/page-'));
  const folders = programs.map(({ text }, index) => {
    const folder = join(top, String(index + 1));
    mkdirSync(folder);
    writeFileSync(join(folder, 'program.mts'), text);
    return folder;
  });
  const paths = { include: ['*/program.mts'], exclude: [] };
  writeFileSync(join(top, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', ...paths }));
  return { folders, remove: () => rmSync(top, { recursive: true, force: true }) };
}
