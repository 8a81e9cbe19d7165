/**
 * Makes the packages that are published in `dist/packages`, their tarballs, and the `.mcpb` for hosts that install one by a click. It packs what was
 * built last, and asks the publishers' tools. With `--try` it installs each in an empty folder and works with it, on each Node.
 */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootManifest } from './pack/manifest.ts';
import { acquireProcessLock } from './process-lock.ts';
import { exitWithUsageError, readOptions } from './read-options.ts';
import { runNpm } from './run-npm.ts';

const options = readOptions({ try: { type: 'boolean' } });
// Bundlers and publishers' tools: who mistyped an option need not wait for them.
const { buildPackages, PACKAGES } = await import('./pack/build-packages.ts');
const { checkPackages } = await import('./pack/check-packages.ts');
const { packMcpb } = await import('./pack/pack-mcpb.ts');
const { smokeTestPackages } = await import('./pack/smoke-test.ts');
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const folder = 'dist/packages';
// Two at once would take each other's files away, and pack what the other has half written.
const name = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 16);
const lock = join(tmpdir(), `docshare-pack-${name}.lock`);
// Who waited finds the lock of the one before taken away, and locks anew.
const releaseLock = acquireProcessLock(lock) ?? acquireProcessLock(lock);
if (!releaseLock) exitWithUsageError('Another pack is at work in this folder: wait for its end.');
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
await packMcpb(folder);
if (options.try) await smokeTestPackages(tarballs);
releaseLock();
