import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DIRECT_TESTS } from './direct-tests.ts';

/** What a run has found of a file, and of what. */
export interface MutationScore {
  readonly mutants: number;
  readonly killed: number;
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

export const REPORTS_FOLDER = 'reports/mutants';
const SCORES_FILE = `${REPORTS_FOLDER}/scores.json`;
const KILLED_STATUSES = ['Killed', 'Timeout'];
const SURVIVED_STATUSES = ['Survived', 'NoCoverage'];

/** Stryker's own memory of a file: its report of the last run that came to its end. */
export const getReportPath = (file: string) => `${REPORTS_FOLDER}/${file.replaceAll('/', '_')}.json`;
export const getTestPaths = (file: string) => (DIRECT_TESTS[file] ?? []).map((name) => `test/${name}.test.ts`);

export function readScores(): Readonly<Record<string, MutationScore>> {
  return existsSync(SCORES_FILE)
    ? (JSON.parse(readFileSync(SCORES_FILE, 'utf8')) as Record<string, MutationScore>)
    : {};
}

/** Keeps the score of the report that stands. */
export function saveScore(file: string, fingerprints: Fingerprints): MutationScore {
  const mutants = getMutants(readReport(file), file);
  const count = (statuses: readonly string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const killed = count(KILLED_STATUSES);
  const score = { mutants: killed + count(SURVIVED_STATUSES), killed, at: new Date().toISOString(), ...fingerprints };
  // Whole or not at all: a run may be ended at any time.
  writeFileSync(`${SCORES_FILE}.new`, `${JSON.stringify({ ...readScores(), [file]: score }, undefined, 2)}\n`);
  renameSync(`${SCORES_FILE}.new`, SCORES_FILE);
  return score;
}

export type Fingerprints = Pick<MutationScore, 'source' | 'tests'>;

/** What a score holds for: with another file, or other tests, it says nothing. Of what the file stands on nothing is known. */
export function getFingerprints(file: string): Fingerprints {
  return { source: fingerprint([file]), tests: fingerprint([...withTestImports(getTestPaths(file))].toSorted()) };
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
  const files = Object.entries(report.files).map(([name, entry]) => [
    name,
    { ...entry, mutants: entry.mutants.filter(({ status }) => KILLED_STATUSES.includes(status)) },
  ]);
  writeFileSync(getReportPath(file), JSON.stringify({ ...report, files: Object.fromEntries(files) }));
}

const readReport = (file: string) => JSON.parse(readFileSync(getReportPath(file), 'utf8')) as Report;
const getMutants = ({ files }: Report, file: string) => files[file]?.mutants ?? [];

function fingerprint(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest('base64url').slice(0, 22);
}

/** The files, and all of `test` that they load. */
function withTestImports(files: readonly string[], seen = new Set<string>()): ReadonlySet<string> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g);
    const paths = [...imports].map(([, path = '']) => join(dirname(file), path));
    withTestImports(
      paths.filter((path) => path.startsWith('test/')),
      seen,
    );
  }
  return seen;
}
