/**
 * Builds `dist/` (core, learner, MCP server, sandbox) with tsc and `zapier/dist/index.js` as one bundle with esbuild. What was built
 * before stays until all of the new stands, and one that fails changes nothing: a host may start the server at any time.
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

// What was left by builds that were killed. A number of this process's own is another's too: it has made nothing yet.
for (const name of readdirSync('.')) {
  const pid = /^dist-(\d+)(-zapier|-old)?$/.exec(name)?.[1];
  if (pid === undefined || (Number(pid) !== process.pid && isProcessAlive(Number(pid)))) continue;
  try {
    rmSync(name, { recursive: true, force: true });
  } catch {
    // The compiler of a build that was killed may still write there: the next build finds it still.
  }
}

// Two builds at once don't meet: each has its own folder, and the last to end wins.
const buildFolder = `dist-${process.pid}`;
process.on('exit', () => rmSync(buildFolder, { recursive: true, force: true }));
// The program itself: on Windows the name `tsc` is a batch file, which Node does not start.
const compiler = 'node_modules/typescript/bin/tsc';
if (!existsSync(compiler)) exitWithUsageError('The compiler is missing: run npm ci.');
const compiled = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', buildFolder], {
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(1);
// A server that has only to list its tools loads none of them.
writeFileSync(`${buildFolder}/mcp/toolset/tool-definitions.js`, await generateListedModule());
// The pages show PDFs with pdf.js, from this machine.
for (const part of PDFJS_PARTS)
  cpSync(`node_modules/pdfjs-dist/${part}`, `${buildFolder}/sandbox/pdf/pdfjs/${part}`, { recursive: true });
// Its documents come along as they are.
cpSync(EXAMPLE_FILES, `${buildFolder}/${EXAMPLE_FILES}`, { recursive: true });
await buildViews(`${buildFolder}/mcp/views`);
// As it is published: so the tests start it.
await bundleServer({ buildFolder: buildFolder, outFolder: `${buildFolder}/whole` });
for (const bin of ['learn/main.js', 'mcp/main.js', 'sandbox/main.js'])
  if (existsSync(`${buildFolder}/${bin}`)) chmodSync(`${buildFolder}/${bin}`, 0o755);

if (existsSync('zapier/index.ts')) {
  await bundleZapier({ outfile: `${buildFolder}-zapier/index.js`, profile });
  if (profile) process.stderr.write(`The Zapier app shows what was learned of ${new URL(profile.service).origin}.\n`);
}

/** What the Zapier app is to show of a service that was learned; ends the build where the file is none. */
async function loadServiceProfile(): Promise<ServiceProfile | undefined> {
  const path = process.env['DOCSHARE_PROFILE']?.trim();
  if (!path) return undefined;
  return readProfile(path).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    process.stderr.write(`DOCSHARE_PROFILE: ${error.message}\n`);
    process.exit(1);
  });
}

/** A folder can't be renamed over another: the old one steps aside for the moment between the two moves. */
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
