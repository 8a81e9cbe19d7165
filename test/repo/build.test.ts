/** Other tests run the build, so this file cannot check that a successful build replaces the old one in one move. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/root-folder.ts';

const built = `${root}dist/mcp/main.js`;

test('a failed build changes nothing, leaves no files behind and removes those of killed builds', async () => {
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  const running = `dist-${process.pid}-zapier`;
  for (const name of [`dist-${gone}`, `dist-${gone}-zapier`, `dist-${gone}-old`, running])
    mkdirSync(join(root, name, 'mcp'), { recursive: true });
  // Prevents the compiler from writing.
  const build = spawn('sh', ['-c', 'ulimit -f 0; exec "$0" scripts/build.ts', process.execPath], {
    cwd: root,
    stdio: 'ignore',
  });
  const [code] = await once(build, 'close');
  expect([code, existsSync(built)]).toEqual([1, true]);
  const left = readdirSync(root).filter((name) => name.startsWith('dist-'));
  rmSync(join(root, running), { recursive: true });
  expect(left).toEqual([running]);
}, 120_000);

test('views and the Zapier app are built from these sources, whatever the working directory', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'docshare-build-'));
  const make = `
    const { buildView } = await import(process.argv[1] + 'scripts/build-views.ts');
    const { bundleZapier } = await import(process.argv[1] + 'scripts/bundle-zapier.ts');
    console.log((await buildView('pick', { minify: true })).page.length > 1000);
    await bundleZapier({ outfile: process.argv[2] });
  `;
  const args = ['--input-type=module', '-e', make, root, join(cwd, 'index.js')];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect({ stdout, stderr, made: readdirSync(cwd) }).toEqual({ stdout: 'true\n', stderr: '', made: ['index.js'] });
  rmSync(cwd, { recursive: true });
});

test("a clone with Git's Windows settings has the same line endings", () => {
  const clone = mkdtempSync(join(tmpdir(), 'docshare-clone-'));
  spawnSync('git', ['clone', '--quiet', '--depth=1', '-c', 'core.autocrlf=true', `file://${root}`, clone]);
  const { stdout } = spawnSync('git', ['ls-files', '--eol'], { cwd: clone, encoding: 'utf8' });
  rmSync(clone, { recursive: true });
  expect([stdout.includes('w/lf'), stdout.includes('w/crlf')]).toEqual([true, false]);
});
