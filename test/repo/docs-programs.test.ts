import { execFile, execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { drawDeck } from '../../scripts/demo-deck.ts';
import { buildPackages, type PackageName } from '../../scripts/pack/build-packages.ts';
import { rootManifest } from '../../scripts/pack/manifest.ts';
import { learnedProfile, writeProfile } from '../support/learned-service.ts';
import { root } from '../support/root-folder.ts';
import type { Program } from '../support/run-programs.ts';

interface PageProgram {
  /** The heading above it, and its number on the page. */
  readonly title: string;
  readonly text: string;
}

/** Returns the TypeScript blocks of a page in their order. One without its own client gets the page's. */
function programsOf(page: string): readonly PageProgram[] {
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
  if (/\bcreateClient\(|\bdefineClient\(/.test(block) || !/\bclient\./.test(block)) return block;
  const imports = block.match(/^import .*\n/gm)?.join('') ?? '';
  const rest = block.replace(/^import .*\n/gm, '');
  return `import { createClient } from 'docshare';\n${imports}\nconst client = createClient();\n${rest}\nawait client.close();\n`;
}

/** Installs packages from their tarballs into a new folder, with the packages that they and the docs import. */
async function installTarballs(...names: readonly PackageName[]): Promise<{ folder: string; remove(): void }> {
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
function writePrograms(top: string, programs: readonly PageProgram[]): readonly string[] {
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

const run = promisify(execFile);
const runner = fileURLToPath(new URL('../support/run-programs.ts', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const pages = ['docs/client.md', 'docs/sandbox.md', 'README.md', ...globSync('docs/packages/*.md', { cwd: root })];
const programs = pages.flatMap(programsOf);
const installed = await installTarballs('docshare', 'docshare-sandbox');
const folders = writePrograms(installed.folder, programs);
const deck = await drawDeck();
afterAll(() => installed.remove());

test('all programs compile against the types of the packages', async () => {
  expect(programs.length).toBeGreaterThan(20);
  const { stdout } = await run(process.execPath, [tsc, '--noEmit', '--checkers', '1', '-p', installed.folder], {
    cwd: root,
  }).catch((error) => error);
  expect(stdout).toBe('');
});

test('the docs import only what the packages export', async () => {
  const wanted = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).flatMap((page) => {
    const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^```(?:ts|js|typescript)\n([\s\S]*?)^```$/gm);
    const imports = [...blocks].flatMap(([, block = '']) => [
      ...block.matchAll(/^import (type )?\{([^}]+)\} from '(docshare[^']*)'/gm),
    ]);
    return imports.flatMap(([, type, names = '', name = '']) =>
      (type ? [] : names.split(',')).map((one) => [page, name, one.trim()] as const),
    );
  });
  const code = `const names = ${JSON.stringify([...new Set(wanted.map(([, name]) => name))])};
    const modules = await Promise.all(names.map(async (name) => [name, Object.keys(await import(name))]));
    console.log(JSON.stringify(Object.fromEntries(modules)));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: installed.folder });
  const exported = JSON.parse(stdout);
  const isMissing = ([, name, one]: (typeof wanted)[number]) =>
    !one.startsWith('type ') && !exported[name].includes(one.split(' ')[0]);
  expect(wanted.length).toBeGreaterThan(40);
  expect(wanted.filter(isMissing)).toEqual([]);
});

const sandboxes: Sandbox[] = [];
let results: readonly (readonly [printed: string, fault: string])[];
beforeAll(async () => {
  const given: Program[] = [];
  for (const folder of folders) {
    const sandbox = await createSandbox();
    sandboxes.push(sandbox);
    writeFileSync(join(folder, 'deck.pdf'), deck);
    writeProfile(folder, learnedProfile(sandbox.url));
    given.push({ folder, env: { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url } });
  }
  // Exits once no program has an open handle.
  const { stdout } = await run(process.execPath, [runner, JSON.stringify(given)]);
  const parts = stdout.split('\0');
  results = given.map((_, at) => [parts[2 * at] ?? '', parts[2 * at + 1] ?? 'not run']);
}, 240_000);
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())));

test.each(programs.map(({ title, text }, index) => [title, index, text] as const))(
  'on the installed packages, %s runs',
  (_, index, text) => {
    const [printed, fault] = results[index] ?? ['', 'not run'];
    expect(fault).toBe('');
    if (text.includes('console.log')) expect(printed).not.toBe('');
    expect(printed).not.toMatch(/undefined/);
  },
);

/** `npm run pack -- --try` installs MSW and jest, and runs their programs too. */
test.each(['vitest', 'node:test'])("the page about tests: %s's programs pass", async (name) => {
  const text = readFileSync(join(root, 'docs/testing-your-code.md'), 'utf8');
  const [share = '', ...tests] = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const chosen = tests.filter((block) => block.includes(`from '${name}'`) && !block.includes("'msw'"));
  expect(chosen.length).toBeGreaterThan(0);
  for (const [index, block] of chosen.entries()) {
    const folder = join(installed.folder, `${name.replace(':', '-')}-${index}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'share.js'), share);
    writeFileSync(join(folder, 'share.test.js'), block);
    const args =
      name === 'vitest' ? [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder] : ['--test'];
    const { VITEST: _, NODE_OPTIONS: __, ...env } = process.env;
    const { stdout } = await run(process.execPath, args, { cwd: folder, env }).catch((error) => error);
    expect(stdout).toMatch(/Tests.*[1-9] passed|# pass [1-9]|ℹ pass [1-9]/);
    expect(stdout).not.toMatch(/[1-9]\d* failed|(?:#|ℹ) fail [1-9]/);
  }
});
