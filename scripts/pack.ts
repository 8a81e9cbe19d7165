/**
 * Makes the packages that are published in `dist/packages`, their tarballs, and the `.mcpb` for hosts that install one by a click. It packs what was
 * built last.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeMcpBundle } from './pack/mcp-bundle.ts';
import { makePackages, PACKAGES } from './pack/packages.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const folder = 'dist/packages';
await makePackages(folder);
for (const name of PACKAGES)
  execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], {
    cwd: `${folder}/${name}`,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
await makeMcpBundle(folder);
