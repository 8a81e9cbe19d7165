/**
 * `npm run proofs`: writes `dist/packages/proofs.json`, the evidence for a release. It measures the packages of the last
 * `npm run pack`; the release workflow signs the file.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from './read-options.ts';
import { hashToolContract } from './release/tool-contract.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
readOptions({});
const folder = 'dist/packages';
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Runs the conformance suite of the protocol and returns its results. */
function runConformance(): { passed: number; failed: number; suite: string } {
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/mcp/conformance.test.ts', '--reporter=json'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64 << 20 });
  const { numPassedTests, numFailedTests } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  const { version } = readJson('node_modules/@modelcontextprotocol/conformance/package.json');
  return { passed: numPassedTests, failed: numFailedTests, suite: `@modelcontextprotocol/conformance ${version}` };
}

/** Returns the lines that the bench prints: times depend on the machine, ratios hardly. */
function measureStart(): readonly string[] {
  const { stdout } = spawnSync(process.execPath, ['tools/bench-start.ts'], { encoding: 'utf8' });
  return stdout.trim().split('\n');
}

const files = readdirSync(folder)
  .filter((name) => /\.(tgz|mcpb)$/.test(name))
  .map((name) => {
    const bytes = readFileSync(join(folder, name));
    return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
const [menu = ''] = readFileSync('test/mcp/__snapshots__/tokens.txt', 'utf8').split('\n', 1);
const proofs = {
  version: readJson('package.json').version,
  commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
  node: process.version,
  files,
  toolContract: hashToolContract(),
  toolListTokens: Number(menu.replace('all ', '')),
  conformance: runConformance(),
  start: measureStart(),
  evaluation: readJson('evals/results.json'),
};
writeFileSync(join(folder, 'proofs.json'), `${JSON.stringify(proofs, null, 2)}\n`);
console.log(JSON.stringify(proofs, null, 2));
if (files.length === 0 || proofs.conformance.failed > 0 || proofs.conformance.passed === 0) process.exit(1);
