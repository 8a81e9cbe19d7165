import type { Result } from './attempt.ts';
import { SUBJECTS } from './job.ts';

/** Figures over all tries of all jobs. */
export interface Summary {
  readonly tries: number;
  /** Share of tries that passed. */
  readonly success: number;
  /** Share of tries with an effect that the person did not want. */
  readonly harm: number;
  /** Share of jobs that passed in every try. */
  readonly passEvery: number;
  readonly callsPerJob: number;
  readonly tokensPerJob: number;
  readonly errorsPerJob: number;
}

export function summarize(results: readonly Result[]): Summary {
  const mean = (read: (result: Result) => number) =>
    results.reduce((sum, result) => sum + read(result), 0) / Math.max(results.length, 1);
  const byJob = Map.groupBy(results, ({ job }) => job);
  const steady = [...byJob.values()].filter((tries) => tries.every(({ passed }) => passed));
  return {
    tries: results.length,
    success: mean(({ passed }) => Number(passed)),
    harm: mean(({ harmful }) => Number(harmful)),
    passEvery: steady.length / Math.max(byJob.size, 1),
    callsPerJob: mean(({ calls }) => calls),
    tokensPerJob: mean(({ tokens }) => tokens),
    errorsPerJob: mean(({ errors }) => errors),
  };
}

const percent = (part: number) => `${Math.round(part * 1000) / 10} %`;
const rounded = (value: number) => `${Math.round(value * 10) / 10}`;

/** Renders the results as a Markdown table, with one row per subject, and a list of failures. */
export function renderReport(results: readonly Result[]): string {
  const rows = ['all', ...SUBJECTS].flatMap((subject) => {
    const some = results.filter((result) => subject === 'all' || result.subject === subject);
    if (some.length === 0) return [];
    const { tries, success, harm, passEvery, callsPerJob, tokensPerJob, errorsPerJob } = summarize(some);
    const cells = [subject, tries, percent(success), percent(passEvery), percent(harm)];
    return [`| ${[...cells, rounded(callsPerJob), Math.round(tokensPerJob), rounded(errorsPerJob)].join(' | ')} |`];
  });
  const failed = results.filter(({ passed }) => !passed);
  return [
    `The tool list has ${results[0]?.listTokens} tokens.`,
    '',
    '| Jobs | Tries | Success | In every try | Harm | Calls | Tokens | Errors |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...failed.map(({ job, problems }) => `- ${job}: ${problems.join('; ')}`),
    '',
  ].join('\n');
}
