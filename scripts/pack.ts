/**
 * Creates the published packages in `dist/packages` from the last build, their tarballs, and the `.mcpb` for one-click
 * installation, and checks them with the publishers' tools. With `--try` it installs and uses each on several Node versions.
 */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootManifest } from './pack/manifest.ts';
import { acquireProcessLock } from './process-lock.ts';
import { exitWithUsageError, readOptions } from './read-options.ts';
import { runNpm } from './run-npm.ts';

const options = readOptions({ try: { type: 'boolean' } });
// Imported late, so that a mistyped option is reported at once.
const { buildPackages, PACKAGES } = await import('./pack/build-packages.ts');
const { checkPackages } = await import('./pack/check-packages.ts');
const { packMcpb } = await import('./pack/pack-mcpb.ts');
const { smokeTestPackages } = await import('./pack/smoke-test.ts');
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const folder = 'dist/packages';
// Two at once would remove each other's files and pack half-written ones.
const name = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 16);
const lock = join(tmpdir(), `docshare-pack-${name}.lock`);
// The lock file is removed on release, so a process that waited locks again.
const releaseLock = acquireProcessLock(lock) ?? acquireProcessLock(lock);
if (!releaseLock) exitWithUsageError('Another pack is running in this folder. Wait until it ends.');
await buildPackages(folder);
const tarballs: Record<string, string> = {};
for (const name of PACKAGES) {
  runNpm(['pack', '--silent', '--pack-destination', '..'], {
    cwd: `${folder}/${name}`,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  tarballs[name] = resolve(folder, `${name}-${rootManifest.version}.tgz`);
}
await checkPackages(folder, tarballs);
packMcpb(folder);
if (options.try) await smokeTestPackages(tarballs);
releaseLock();
console.log(`Created in ${folder}:`);
for (const file of readdirSync(folder).filter((name) => /\.(tgz|mcpb)$/.test(name)))
  console.log(`  ${file.padEnd(28)}${(statSync(join(folder, file)).size / 1e6).toFixed(1)} MB`);
