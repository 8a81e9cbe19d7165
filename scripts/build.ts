/**
 * Builds `dist/` (core, learner, MCP server, sandbox) with tsc and `zapier/dist/index.js` as one bundle with esbuild. What was built
 * before stays until all of the new stands, and one that fails changes nothing: a host may start the server at any time.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { PDFJS_PARTS } from '../sandbox/pages/reader/pdfjs-files.ts';
import { buildViews } from './build-views.ts';
import { englishOnly } from './english-only.ts';
import { listedModule } from './listed-module.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

// Two builds at once don't meet: each has its own folder, and the last to end wins.
const next = `dist-${process.pid}`;
process.on('exit', () => rmSync(next, { recursive: true, force: true }));
try {
  execFileSync('tsc', ['-p', 'tsconfig.build.json', '--outDir', next], { stdio: 'inherit' });
} catch {
  process.exit(1);
}
// A server that has only to list its tools loads none of them.
writeFileSync(`${next}/mcp/menu/listed.js`, await listedModule());
// The pages show PDFs with pdf.js, from this machine.
for (const part of PDFJS_PARTS)
  cpSync(`node_modules/pdfjs-dist/${part}`, `${next}/sandbox/pages/reader/pdfjs/${part}`, {
    recursive: true,
  });
await buildViews(`${next}/mcp/views`);
for (const bin of ['learn/main.js', 'mcp/main.js', 'sandbox/main.js'])
  if (existsSync(`${next}/${bin}`)) chmodSync(`${next}/${bin}`, 0o755);

// Zapier installs only the app's own dependencies, so the core has to travel inside the bundle.
if (existsSync('zapier/index.ts')) {
  await build({
    entryPoints: ['zapier/index.ts'],
    outfile: `${next}-zapier/index.js`,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    external: ['zapier-platform-core'],
    plugins: [englishOnly],
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** A folder can't be renamed over another: the old one steps aside for the moment between the two moves. */
function replace(target: string, built: string): void {
  const old = `${built}-old`;
  if (existsSync(target)) renameSync(target, old);
  renameSync(built, target);
  rmSync(old, { recursive: true, force: true });
}

replace('dist', next);
if (existsSync(`${next}-zapier`)) {
  mkdirSync('zapier/dist', { recursive: true });
  renameSync(`${next}-zapier/index.js`, 'zapier/dist/index.js');
  rmSync(`${next}-zapier`, { recursive: true, force: true });
}
