/**
 * Changes operators of the sources one at a time (StrykerJS) and runs the tests of the package against each change:
 * `npm run mutate`, or `npm run mutate -- src/retry`. Fails if the tests notice less than 85 % in a module.
 * `--sample` and `--seed` choose the mutants; `--concurrency 1` leaves a processor free.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exitWithUsageError, readNumber, readOptionsAndFiles } from '../scripts/read-options.ts';
import { findModule, getPackages, type Package } from './mutants/modules.ts';
import { describeMutant, EXCLUDED_MUTATORS, type MutantInFile, sampleMutants } from './mutants/sample.ts';
import { type FileRange, startStrykerServer } from './mutants/stryker-server.ts';

const MIN_SCORE_PERCENT = 85;
const REPORT_FILE = 'reports/mutants.md';
const TEMP_FOLDER = `.stryker/${process.pid}`;
const COUNTED_STATUSES = ['Killed', 'Timeout', 'Survived', 'NoCoverage'];

interface Score {
  readonly name: string;
  readonly tested: number;
  /** Mutants that only a timeout noticed: on a busy machine, this may be a mistake. */
  readonly timeouts: number;
  readonly survivors: readonly string[];
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values, positionals: requestedModules } = readOptionsAndFiles({
  sample: { type: 'string', default: '15' },
  seed: { type: 'string', default: '1' },
  concurrency: { type: 'string', default: '2' },
});
const size = readNumber(values.sample, { name: '--sample', min: 1, max: 10_000 });
const concurrency = readNumber(values.concurrency, { name: '--concurrency', min: 1, max: 64 });
const allModules = getPackages().flatMap(({ modules }) => modules);
const unknownModules = requestedModules.filter((name) => !allModules.includes(name));
if (unknownModules.length > 0)
  exitWithUsageError(`No such module: ${unknownModules.join(', ')}. Known: ${allModules.join(', ')}.`);

// Some tests read the built types.
execFileSync(process.execPath, ['scripts/build.ts'], { stdio: 'ignore' });
const scores: Score[] = [];
mkdirSync('reports', { recursive: true });
for (const tested of getPackages()) {
  const requested = tested.modules.filter((name) => requestedModules.length === 0 || requestedModules.includes(name));
  if (requested.length === 0) continue;
  const packageScores = await measure(tested, requested).catch((error: Error) => {
    console.error(`${tested.name}: ${error.message}`);
    process.exitCode = 1;
    return [];
  });
  scores.push(...packageScores);
  for (const score of packageScores) console.log(formatRow(score));
  writeFileSync(REPORT_FILE, formatReport());
}
rmSync(TEMP_FOLDER, { recursive: true, force: true });
console.log(`\nSurvivors: ${REPORT_FILE}`);
if (scores.some((score) => getPercent(score) < MIN_SCORE_PERCENT)) process.exitCode = 1;

async function measure({ modules, tests }: Package, requested: readonly string[]): Promise<readonly Score[]> {
  const server = startStrykerServer({
    MUTATE_TESTS: tests.join(','),
    MUTATE_CONCURRENCY: `${concurrency}`,
    MUTATE_TEMP_FOLDER: TEMP_FOLDER,
  });
  try {
    const ranges: FileRange[] = [];
    for (const name of requested) {
      const sources = globSync(`${name}/**/*.ts`).filter((path) => findModule(path, modules) === name);
      const mutants = Object.entries(await server.discover(sources.toSorted())).flatMap(([path, file]) =>
        file.mutants
          .filter(({ mutatorName }) => !EXCLUDED_MUTATORS.includes(mutatorName))
          .map((mutant): MutantInFile => ({ path, mutant })),
      );
      ranges.push(...sampleMutants(mutants, { size, seed: values.seed }).ranges);
    }
    const results: MutantInFile[] = [];
    if (ranges.length > 0) await server.test(ranges, (path, mutant) => results.push({ path, mutant }));
    const counted = results.filter(({ mutant }) => COUNTED_STATUSES.includes(mutant.status ?? ''));
    return requested.map((name) => {
      const ofModule = counted.filter(({ path }) => findModule(path, modules) === name);
      const survivors = ofModule.filter(({ mutant }) => ['Survived', 'NoCoverage'].includes(mutant.status ?? ''));
      const timeouts = ofModule.filter(({ mutant }) => mutant.status === 'Timeout').length;
      return { name, tested: ofModule.length, timeouts, survivors: survivors.map(describeMutant).toSorted() };
    });
  } finally {
    server.stop();
  }
}

function getPercent({ tested, survivors }: Score): number {
  return tested === 0 ? 100 : (100 * (tested - survivors.length)) / tested;
}

function formatRow(score: Score): string {
  const { name, tested, timeouts, survivors } = score;
  const byTimeout = timeouts > 0 ? `, ${timeouts} by a timeout` : '';
  return `| ${name} | ${getPercent(score).toFixed(0)} % | ${tested - survivors.length} of ${tested}${byTimeout} |`;
}

function formatReport(): string {
  const survivors = scores.flatMap((score) =>
    score.survivors.length === 0 ? [] : ['', `## ${score.name}`, '', ...score.survivors.map((text) => `- ${text}`)],
  );
  return `${['| Module | Score | Noticed |', '|---|---|---|', ...scores.map(formatRow), ...survivors].join('\n')}\n`;
}
