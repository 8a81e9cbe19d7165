/**
 * Builds `dist/` (core, learner, MCP server, sandbox) with tsc, and bundles `zapier/dist/index.js` with esbuild. The earlier
 * build is replaced only at the end, and a failed build changes nothing, because a host may start the server at any time.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PDFJS_PARTS } from '../sandbox/pdf/pdfjs-parts.ts';
import { InputError } from '../src/errors.ts';
import { isProcessAlive } from '../src/process-liveness.ts';
import { readProfile } from '../src/profile/read-profile.ts';
import type { ServiceProfile } from '../src/profile/service-profile.ts';
import { buildViews } from './build-views.ts';
import { bundleZapier } from './bundle-zapier.ts';
import { generateListedModule } from './listed-module.ts';
import { bundleServer } from './pack/bundle-server.ts';
import { EXAMPLE_FILES } from './pack/example-files.ts';
import { exitWithUsageError, readOptions } from './read-options.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
readOptions({});

const profile = await loadServiceProfile();

// Leftovers of killed builds. This process has created nothing yet, so its own ID is a leftover too.
for (const name of readdirSync('.')) {
  const pid = /^dist-(\d+)(-zapier|-old)?$/.exec(name)?.[1];
  if (pid === undefined || (Number(pid) !== process.pid && isProcessAlive(Number(pid)))) continue;
  try {
    rmSync(name, { recursive: true, force: true });
  } catch {
    // The compiler of a killed build may still be writing; the next build removes it.
  }
}

// Parallel builds use separate folders; the last one to finish wins.
const buildFolder = `dist-${process.pid}`;
process.on('exit', () => rmSync(buildFolder, { recursive: true, force: true }));
// Not `tsc`, which is a batch file on Windows that Node can't start.
const compiler = 'node_modules/typescript/bin/tsc';
if (!existsSync(compiler)) exitWithUsageError('The compiler is missing: run npm ci.');
const compiled = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', buildFolder], {
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(1);
// Lets the server list its tools without loading them.
writeFileSync(`${buildFolder}/mcp/toolset/tool-definitions.js`, await generateListedModule());
// pdf.js for the pages, served locally.
for (const part of PDFJS_PARTS)
  cpSync(`node_modules/pdfjs-dist/${part}`, `${buildFolder}/sandbox/pdf/pdfjs/${part}`, { recursive: true });
// Example documents of the sandbox.
cpSync(EXAMPLE_FILES, `${buildFolder}/${EXAMPLE_FILES}`, { recursive: true });
await buildViews(`${buildFolder}/mcp/views`);
// The published form of the server, which the tests start.
await bundleServer({ buildFolder: buildFolder, outFolder: `${buildFolder}/whole` });
for (const bin of ['learn/main.js', 'mcp/main.js', 'sandbox/main.js'])
  if (existsSync(`${buildFolder}/${bin}`)) chmodSync(`${buildFolder}/${bin}`, 0o755);

if (existsSync('zapier/index.ts')) {
  await bundleZapier({ outfile: `${buildFolder}-zapier/index.js`, profile });
  if (profile) process.stderr.write(`The Zapier app uses the profile of ${new URL(profile.service).origin}.\n`);
}

/** Loads the learned profile for the Zapier app; an invalid file ends the build. */
async function loadServiceProfile(): Promise<ServiceProfile | undefined> {
  const path = process.env['DOCSHARE_PROFILE']?.trim();
  if (!path) return undefined;
  return readProfile(path).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    process.stderr.write(`DOCSHARE_PROFILE: ${error.message}\n`);
    process.exit(1);
  });
}

/** Replaces a folder in two renames, since a folder can't be renamed over another. */
function replace(target: string, built: string): void {
  const previous = `${built}-old`;
  if (existsSync(target)) renameSync(target, previous);
  renameSync(built, target);
  rmSync(previous, { recursive: true, force: true });
}

replace('dist', buildFolder);
if (existsSync(`${buildFolder}-zapier`)) {
  mkdirSync('zapier/dist', { recursive: true });
  renameSync(`${buildFolder}-zapier/index.js`, 'zapier/dist/index.js');
  rmSync(`${buildFolder}-zapier`, { recursive: true, force: true });
}
