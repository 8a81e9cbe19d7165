/**
 * Breaks the promises of the sources one at a time (StrykerJS), file by file, each against its own direct tests alone, and
 * fails where one notices less than 85 % of them: `npm run mutate`, or `npm run mutate -- src/retry/retry.ts`. What each
 * file's last run knows stays in `reports/mutants`, whatever ends the run: `--rest` leaves out what was measured as it is
 * now. `--concurrency 1` leaves a processor to others.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exitWithUsageError, readNumber, readOptionsAndFiles } from '../scripts/read-options.ts';
import { DIRECT_TESTS } from './mutants/direct-tests.ts';
import {
  forgetSurvivors,
  getFingerprints,
  getReportPath,
  getTestPaths,
  REPORTS_FOLDER,
  readScores,
  saveScore,
} from './mutants/stored-scores.ts';

const MIN_SCORE_PERCENT = 85;
const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';
const SANDBOX = `.stryker/${process.pid}`;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values, positionals: requestedFiles } = readOptionsAndFiles({
  rest: { type: 'boolean' },
  concurrency: { type: 'string', default: '2' },
});
const concurrency = readNumber(values.concurrency, { name: '--concurrency', min: 1, max: 64 });
const unknownFiles = requestedFiles.filter((file) => !Object.hasOwn(DIRECT_TESTS, file));
if (unknownFiles.length > 0)
  exitWithUsageError(
    `Not in the list of tools/mutants/direct-tests.ts, which says where their tests stand: ${unknownFiles.join(', ')}`,
  );

const files = Object.keys(DIRECT_TESTS).filter((file) => requestedFiles.length === 0 || requestedFiles.includes(file));
const missingPaths = files.flatMap((file) => [file, ...getTestPaths(file)]).filter((path) => !existsSync(path));
if (missingPaths.length > 0)
  exitWithUsageError(`In the list of tools/mutants/direct-tests.ts, and not there: ${missingPaths.join(', ')}`);

mkdirSync(REPORTS_FOLDER, { recursive: true });
const startedAt = performance.now();
let stopped: NodeJS.Signals | undefined;
const failedFiles: string[] = [];
for (const file of files.filter((candidate) => !(values.rest && isCurrent(candidate)))) {
  if (stopped) break;
  console.log(`\n${file}`);
  if (!(await measure(file)) && !stopped) failedFiles.push(file);
}
printSummary();

/** Runs the mutants of a file, and keeps what came of it; false where its tests did not run. */
async function measure(file: string): Promise<boolean> {
  const fingerprints = getFingerprints(file);
  if (readScores()[file]?.tests !== fingerprints.tests) forgetSurvivors(file);
  const writtenAt = () => (existsSync(getReportPath(file)) ? statSync(getReportPath(file)).mtimeMs : 0);
  const before = writtenAt();
  const pathArgs = ['--incrementalFile', getReportPath(file), '--tempDirName', SANDBOX];
  const run = ['run', '-m', file, ...pathArgs, '--concurrency', `${concurrency}`];
  const stryker = spawn(process.execPath, [STRYKER, ...run], {
    stdio: 'inherit',
    env: { ...process.env, MUTATE_TESTS: getTestPaths(file).join(',') },
  });
  const stop = (signal: NodeJS.Signals) => {
    stopped = signal;
    stryker.kill(signal);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  await once(stryker, 'exit');
  // One that is stopped leaves its copy of the sources.
  rmSync(SANDBOX, { recursive: true, force: true });
  process.off('SIGINT', stop).off('SIGTERM', stop);
  // Stopped, it has written what it knew by then: good for the next run, and no score.
  if (stopped || writtenAt() === before) return false;
  saveScore(file, fingerprints);
  return true;
}

/** Whether the file was measured as it is now, with the tests that it has now. */
function isCurrent(file: string): boolean {
  const score = readScores()[file];
  const { source, tests } = getFingerprints(file);
  return score?.source === source && score.tests === tests;
}

/** Each file's score, when it was measured, and whether that still holds. */
function printSummary(): void {
  const scores = readScores();
  console.log('');
  let failed = failedFiles.length > 0 || stopped !== undefined;
  for (const file of files) {
    const score = scores[file];
    const percent = score && score.mutants > 0 ? (100 * score.killed) / score.mutants : undefined;
    const note = failedFiles.includes(file)
      ? 'broken: its tests did not run'
      : !score
        ? 'not measured'
        : isCurrent(file)
          ? ''
          : 'changed since';
    if (!(percent !== undefined && percent >= MIN_SCORE_PERCENT) || note !== '') failed = true;
    const counts = score ? `${score.killed} of ${score.mutants}  ${score.at.slice(0, 16)}` : '';
    console.log(`${percent?.toFixed(1).padStart(6) ?? '     -'} %  ${file}  ${counts}  ${note}`.trimEnd());
  }
  const minutes = Math.round((performance.now() - startedAt) / 60_000);
  console.log(`${files.length} files in ${minutes} min${stopped ? `, stopped by ${stopped}: --rest goes on` : ''}`);
  if (failed) process.exitCode = 1;
}
