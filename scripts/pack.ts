/**
 * Makes the packages that are published in `dist/packages`, their tarballs, and the `.mcpb` for hosts that install one by a click. It packs what was
 * built last, and asks the publishers' tools. With `--try` it installs each in an empty folder and works with it, on each Node.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './pack/manifest.ts';
import { readOptions } from './read-options.ts';

const options = readOptions({ try: { type: 'boolean' } });
// Bundlers and publishers' tools: who mistyped an option need not wait for them.
const { makePackages, PACKAGES } = await import('./pack/packages.ts');
const { checkPackages } = await import('./pack/check.ts');
const { makeMcpBundle } = await import('./pack/mcp-bundle.ts');
const { tryPackages } = await import('./pack/try.ts');
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const folder = 'dist/packages';
await makePackages(folder);
const tarballs: Record<string, string> = {};
for (const name of PACKAGES) {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], {
    cwd: `${folder}/${name}`,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  tarballs[name] = resolve(folder, `${name}-${root.version}.tgz`);
}
await checkPackages(folder, tarballs);
await makeMcpBundle(folder);
if (options.try) await tryPackages(tarballs);
