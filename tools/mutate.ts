/**
 * Changes operators of the sources one at a time (StrykerJS) and runs the module's tests against each change:
 * `npm run mutate`, or `npm run mutate -- src/retry`. Fails if a module's tests detect less than 85 %.
 * `--sample` and `--seed` choose the mutants; `--concurrency 1` leaves a processor free.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exitWithUsageError, readNumber, readOptionsAndFiles } from '../scripts/read-options.ts';
import { getTestedModules, type TestedModule } from './mutants/modules.ts';
import { describeMutant, type MutantInFile, sampleMutants } from './mutants/sample.ts';
import { startStrykerServer } from './mutants/stryker-server.ts';

const MIN_SCORE_PERCENT = 85;
const REPORT_FILE = 'reports/mutants.md';
const TEMP_FOLDER = `.stryker/${process.pid}`;
const COUNTED_STATUSES = ['Killed', 'Timeout', 'Survived', 'NoCoverage'];

interface Score {
  readonly name: string;
  readonly tested: number;
  readonly survivors: readonly string[];
  readonly seconds: number;
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values, positionals: requestedModules } = readOptionsAndFiles({
  sample: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  concurrency: { type: 'string', default: '2' },
});
const size = readNumber(values.sample, { name: '--sample', min: 1, max: 10_000 });
const concurrency = readNumber(values.concurrency, { name: '--concurrency', min: 1, max: 64 });
const allModules = getTestedModules();
const unknownModules = requestedModules.filter((name) => !allModules.some((module) => module.name === name));
if (unknownModules.length > 0)
  exitWithUsageError(
    `No such module with tests: ${unknownModules.join(', ')}. Known: ${allModules.map(({ name }) => name).join(', ')}.`,
  );

const modules = allModules.filter(({ name }) => requestedModules.length === 0 || requestedModules.includes(name));
const scores: Score[] = [];
for (const module of modules) {
  const score = await measure(module);
  scores.push(score);
  console.log(formatRow(score));
}
rmSync(TEMP_FOLDER, { recursive: true, force: true });
mkdirSync('reports', { recursive: true });
writeFileSync(REPORT_FILE, formatReport());
console.log(`\nSurvivors: ${REPORT_FILE}`);
if (scores.some((score) => getPercent(score) < MIN_SCORE_PERCENT)) process.exitCode = 1;

async function measure({ name, sources, tests }: TestedModule): Promise<Score> {
  const startedAt = performance.now();
  const server = startStrykerServer({
    MUTATE_TESTS: tests.join(','),
    MUTATE_CONCURRENCY: `${concurrency}`,
    MUTATE_TEMP_FOLDER: TEMP_FOLDER,
  });
  try {
    const discovered = await server.discover(sources);
    const mutants = Object.entries(discovered).flatMap(([path, file]) =>
      file.mutants.map((mutant): MutantInFile => ({ path, mutant })),
    );
    const results: MutantInFile[] = [];
    const { ranges } = sampleMutants(mutants, { size, seed: values.seed });
    if (ranges.length > 0) await server.test(ranges, (path, mutant) => results.push({ path, mutant }));
    const counted = results.filter(({ mutant }) => COUNTED_STATUSES.includes(mutant.status ?? ''));
    const survivors = counted.filter(({ mutant }) => ['Survived', 'NoCoverage'].includes(mutant.status ?? ''));
    return {
      name,
      tested: counted.length,
      survivors: survivors.map(describeMutant).toSorted(),
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    server.stop();
  }
}

function getPercent({ tested, survivors }: Score): number {
  return tested === 0 ? 0 : (100 * (tested - survivors.length)) / tested;
}

function formatRow(score: Score): string {
  const { name, tested, survivors, seconds } = score;
  return `| ${name} | ${getPercent(score).toFixed(0)} % | ${tested - survivors.length} of ${tested} | ${seconds} s |`;
}

function formatReport(): string {
  const survivors = scores.flatMap((score) =>
    score.survivors.length === 0 ? [] : ['', `## ${score.name}`, '', ...score.survivors.map((text) => `- ${text}`)],
  );
  return `${['| Module | Score | Noticed | Time |', '|---|---|---|---|', ...scores.map(formatRow), ...survivors].join('\n')}\n`;
}
