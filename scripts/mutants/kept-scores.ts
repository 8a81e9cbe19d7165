import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DIRECT } from './direct-tests.ts';

/** What a run has found of a file, and of what. */
export interface Score {
  readonly mutants: number;
  readonly noticed: number;
  /** ISO time. */
  readonly at: string;
  /** Of the file. */
  readonly source: string;
  /** Of its direct tests, with what they use of `test`. */
  readonly tests: string;
}

interface Report {
  readonly files: Readonly<Record<string, { mutants: readonly { readonly status: string }[] }>>;
}

export const KEPT = 'reports/mutants';
const SCORES = `${KEPT}/scores.json`;
const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

/** Stryker's own memory of a file: its report of the last run that came to its end. */
export const getReportPath = (file: string) => `${KEPT}/${file.replaceAll('/', '_')}.json`;
export const getTestPaths = (file: string) => (DIRECT[file] ?? []).map((name) => `test/${name}.test.ts`);

export function readScores(): Readonly<Record<string, Score>> {
  return existsSync(SCORES) ? (JSON.parse(readFileSync(SCORES, 'utf8')) as Record<string, Score>) : {};
}

/** Keeps the score of the report that stands. */
export function keepScore(file: string, prints: Prints): Score {
  const mutants = mutantsIn(readReport(file), file);
  const count = (of: readonly string[]) => mutants.filter(({ status }) => of.includes(status)).length;
  const noticed = count(NOTICED);
  const score = { mutants: noticed + count(UNNOTICED), noticed, at: new Date().toISOString(), ...prints };
  // Whole or not at all: a run may be ended at any time.
  writeFileSync(`${SCORES}.new`, `${JSON.stringify({ ...readScores(), [file]: score }, undefined, 2)}\n`);
  renameSync(`${SCORES}.new`, SCORES);
  return score;
}

export type Prints = Pick<Score, 'source' | 'tests'>;

/** What a score holds for: with another file, or other tests, it says nothing. Of what the file stands on nothing is known. */
export function getFingerprints(file: string): Prints {
  return { source: fingerprint([file]), tests: fingerprint([...withWorld(getTestPaths(file))].toSorted()) };
}

/** Lets every mutant that lives be tried again: Stryker believes that one outside of all functions lives on, whatever tests came. */
export function forgetSurvivors(file: string): void {
  if (!existsSync(getReportPath(file))) return;
  let report: Report;
  try {
    report = readReport(file);
  } catch {
    // Cut off as it was written: Stryker would not begin.
    rmSync(getReportPath(file));
    return;
  }
  const files = Object.entries(report.files).map(([name, one]) => [
    name,
    { ...one, mutants: one.mutants.filter(({ status }) => NOTICED.includes(status)) },
  ]);
  writeFileSync(getReportPath(file), JSON.stringify({ ...report, files: Object.fromEntries(files) }));
}

const readReport = (file: string) => JSON.parse(readFileSync(getReportPath(file), 'utf8')) as Report;
const mutantsIn = ({ files }: Report, file: string) => files[file]?.mutants ?? [];

function fingerprint(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest('base64url').slice(0, 22);
}

/** The files, and all of `test` that they load. */
function withWorld(files: readonly string[], seen = new Set<string>()): ReadonlySet<string> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const loaded = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g);
    const paths = [...loaded].map(([, path = '']) => join(dirname(file), path));
    withWorld(
      paths.filter((path) => path.startsWith('test/')),
      seen,
    );
  }
  return seen;
}
