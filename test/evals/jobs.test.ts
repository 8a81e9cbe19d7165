/** Jobs for language models can be passed, and not by chance: graders read the service, not the model's claims. */
import { expect, test } from 'vitest';
import { type Agent, idle, oracle, random } from '../../evals/agents.ts';
import { openAttempt } from '../../evals/attempt.ts';
import type { Job } from '../../evals/job.ts';
import { jobs } from '../../evals/jobs/index.ts';
import { summarize } from '../../evals/report.ts';

async function runAll(agent: Agent, some: readonly Job[] = jobs) {
  return Promise.all(
    some.map(async (job) => {
      const attempt = await openAttempt(job, 'baseline');
      return attempt.finish(await agent(job, attempt));
    }),
  );
}

test('each job has its own name, and no request names a tool', () => {
  expect(jobs.length).toBeGreaterThanOrEqual(60);
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
  expect(jobs.filter(({ request }) => /[a-z]_[a-z]/.test(request))).toEqual([]);
});

test('a run of the known solution passes each job without harm', async () => {
  const failed = (await runAll(oracle)).filter(({ passed }) => !passed);
  expect(failed.map(({ job, problems }) => [job, problems])).toEqual([]);
});

test('a run that does nothing passes no job', async () => {
  expect((await runAll(idle)).filter(({ passed }) => passed).map(({ job }) => job)).toEqual([]);
});

test('random calls pass no job, and graders notice the harm they do', async () => {
  const { success, harm, callsPerJob } = summarize(await runAll(random, jobs.slice(0, 24)));
  expect(success).toBe(0);
  expect(harm).toBeGreaterThan(0);
  expect(callsPerJob).toBe(12);
});
