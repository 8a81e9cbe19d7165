/** Measures the import of the Zapier app at a cold start, beside an app without operations. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readOptions } from '../scripts/read-options.ts';

readOptions({});

const ROUNDS = 9;
const bundle = resolve('zapier/dist/index.js');
// In the workspace, to use the same zapier-platform-core.
const folder = mkdtempSync(resolve('zapier/dist/empty-'));
const empty = join(folder, 'index.js');

try {
  writeFileSync(
    empty,
    "import { defineApp, version } from 'zapier-platform-core';\nexport default defineApp({ version: '1.0.0', platformVersion: version });\n",
  );
  const rounds = Array.from({ length: ROUNDS }, () => ({ bare: importMs(empty), full: importMs(bundle) }));
  const bareMs = median(rounds.map(({ bare }) => bare));
  const fullMs = median(rounds.map(({ full }) => full));
  console.log(`Import of the Zapier app, median of ${ROUNDS} cold starts`);
  console.log(`  no operation   ${bareMs.toFixed(0)} ms`);
  console.log(`  docshare       ${fullMs.toFixed(0)} ms   ratio ${(fullMs / bareMs).toFixed(2)} (goal 1.5)`);
  console.log(`  bundle         ${(statSync(bundle).size / 1024).toFixed(0)} KiB`);
} finally {
  rmSync(folder, { recursive: true });
}

function importMs(path: string): number {
  const script = `const at = performance.now(); await import(${JSON.stringify(pathToFileURL(path).href)}); console.log(performance.now() - at);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
