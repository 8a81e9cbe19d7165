/** Runs the programs of the docs in folders where the packages are installed from their tarballs. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackages, type PackageName } from '../../scripts/pack/build-packages.ts';
import { rootManifest } from '../../scripts/pack/manifest.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface PageProgram {
  /** The heading above it, and its number on the page. */
  readonly title: string;
  readonly text: string;
}

/** Returns the TypeScript blocks of a page in their order. One without its own client gets the page's. */
export function programsOf(page: string): readonly PageProgram[] {
  const text = readFileSync(join(root, page), 'utf8');
  const programs: PageProgram[] = [];
  let heading = '';
  for (const [, title, block] of text.matchAll(/^#+ (.+)$|^```ts\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    if (block !== undefined)
      programs.push({ title: `${page}, ${programs.length + 1}, ${heading}`, text: whole(block) });
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

/** Installs packages from their tarballs into a new folder, with the packages that they and the docs import. */
export async function installTarballs(...names: readonly PackageName[]): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'docshare-docs-'));
  const modules = join(folder, 'node_modules');
  for (const name of names) {
    const built = join(folder, `built-${name}`);
    await buildPackages(built, { only: name, quality: 1 });
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(built, name) });
    mkdirSync(join(modules, name), { recursive: true });
    const tarball = join(folder, `${name}-${rootManifest.version}.tgz`);
    execFileSync('tar', ['-xzf', tarball, '--strip-components', '1', '-C', join(modules, name)]);
    rmSync(built, { recursive: true });
  }
  for (const name of ['undici', 'zod', 'p-queue', 'eventemitter3', 'p-timeout', '@types', '@opentelemetry', 'vitest'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Writes each program as `program.mts` into a folder, and a `tsconfig.json` for all of them. */
export function writePrograms(top: string, programs: readonly PageProgram[]): readonly string[] {
  const folders = programs.map(({ text }, index) => {
    const folder = join(top, String(index + 1));
    mkdirSync(folder);
    writeFileSync(join(folder, 'program.mts'), text);
    return folder;
  });
  const paths = { include: ['*/program.mts'], exclude: [] };
  writeFileSync(join(top, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.json'), ...paths }));
  return folders;
}
