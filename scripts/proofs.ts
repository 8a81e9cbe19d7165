/**
 * `npm run proofs`: writes `dist/packages/proofs.json`, the evidence for a release. It measures the packages of the last
 * `npm run pack`; the release workflow signs the file.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitWithUsageError, readOptions } from './read-options.ts';
import { hashToolContract } from './release/tool-contract.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
readOptions({});
const folder = 'dist/packages';
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** Runs the conformance suite of the protocol and returns what the tests about it claim. */
function runConformance(): { suite: string; passed: readonly string[]; failed: readonly string[] } {
  const results = 'dist/conformance.json';
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/mcp/conformance.test.ts'];
  spawnSync(process.execPath, [...args, '--reporter=json', `--outputFile=${results}`], { stdio: 'ignore' });
  const tests: { fullName: string; status: string }[] = readJson(results).testResults.flatMap(
    (file: { assertionResults: unknown }) => file.assertionResults,
  );
  rmSync(results);
  const titles = (status: string) => tests.filter((test) => test.status === status).map(({ fullName }) => fullName);
  const { version } = readJson('node_modules/@modelcontextprotocol/conformance/package.json');
  return { suite: `@modelcontextprotocol/conformance ${version}`, passed: titles('passed'), failed: titles('failed') };
}

/** Returns the lines that the bench prints: times depend on the machine, ratios hardly. */
function measureStart(): readonly string[] {
  const { stdout } = spawnSync(process.execPath, ['tools/bench-start.ts'], { encoding: 'utf8' });
  return stdout.trim().split('\n');
}

const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(tgz|mcpb)$/.test(name)) : [];
if (names.length === 0) exitWithUsageError(`There are no packages in ${folder}. Run npm run pack first.`);
const files = names.map((name) => {
  const bytes = readFileSync(join(folder, name));
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
});
console.log('Runs the conformance suite and measures the start: about a minute.');
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
if (proofs.conformance.failed.length > 0 || proofs.conformance.passed.length === 0 || proofs.start.length < 2) {
  console.error('No proof of a release: the conformance suite failed, or the start was not measured.');
  process.exitCode = 1;
}
