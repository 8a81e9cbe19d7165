import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Agent, createModelAgent, idle, oracle, random } from './agents.ts';
import { openAttempt, type Result } from './attempt.ts';
import { jobs } from './jobs/index.ts';
import { renderReport } from './report.ts';
import { serveJobs } from './serve.ts';
import { SERVERS, type ServerName } from './toolbox.ts';

const HELP = `Everyday jobs for language models, graded by the state of the service.

npm run evals -- [options]

  --agent NAME     oracle, idle, random, model (default: model if EVAL_MODEL is set, else oracle),
                   or serve: offer the jobs over HTTP to any agent
  --server NAME    ours (default) or baseline (generated from the OpenAPI document)
  --jobs TEXT      only jobs whose ID or subject contains this text
  --part N/M       only each Mth job, beginning with the Nth
  --tries N        times that each job is tried (default: 1)
  --out FILE       write the results and transcripts as JSON
  --list           print the jobs

A model needs EVAL_ENDPOINT (such as https://api.openai.com/v1), EVAL_API_KEY and EVAL_MODEL.`;

const { values } = parseArgs({
  options: {
    agent: { type: 'string', default: process.env['EVAL_MODEL'] ? 'model' : 'oracle' },
    server: { type: 'string', default: 'ours' },
    jobs: { type: 'string', default: '' },
    part: { type: 'string', default: '1/1' },
    tries: { type: 'string', default: '1' },
    out: { type: 'string' },
    list: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});

function chooseAgent(): Agent {
  const known: Record<string, Agent> = { oracle, idle, random };
  const agent = known[values.agent];
  if (agent) return agent;
  const { EVAL_ENDPOINT: endpoint, EVAL_API_KEY: apiKey, EVAL_MODEL: model } = process.env;
  if (!endpoint || !apiKey || !model)
    throw new Error('Set EVAL_ENDPOINT, EVAL_API_KEY and EVAL_MODEL, or choose another --agent');
  return createModelAgent({ endpoint, apiKey, model });
}

async function report(results: readonly Result[]): Promise<void> {
  if (values.out) await writeFile(values.out, JSON.stringify(results, null, 1));
  console.log(renderReport(results));
}

const [part = 1, parts = 1] = values.part.split('/').map(Number);
const chosen = jobs
  .filter(({ id, subject }) => `${subject} ${id}`.includes(values.jobs))
  .filter((_, index) => index % parts === part - 1);
const server = SERVERS.find((name) => name === values.server);

if (values.help) {
  console.log(HELP);
} else if (values.list) {
  for (const { id, subject, request } of chosen) console.log(`${subject.padEnd(10)} ${id.padEnd(24)} ${request}`);
} else if (!server || chosen.length === 0) {
  console.error(server ? 'No job fits.' : `--server is one of: ${SERVERS.join(', ')}`);
  process.exitCode = 2;
} else if (values.agent === 'serve') {
  const served = await serveJobs(chosen, server, async (results) => {
    served.close();
    await report(results);
  });
  console.log(`${chosen.length} jobs at ${served.url}/job`);
} else {
  await report(await runAll(chooseAgent(), server));
}

async function runAll(agent: Agent, name: ServerName): Promise<Result[]> {
  const results: Result[] = [];
  for (const job of chosen.flatMap((job) => Array.from({ length: Number(values.tries) }, () => job))) {
    const attempt = await openAttempt(job, name);
    const answer = await agent(job, attempt).catch((error: Error) => `Failed: ${error.message}`);
    const result = await attempt.finish(answer);
    results.push(result);
    console.error(`${result.passed ? 'passed' : 'FAILED'} ${job.id} ${result.problems.join('; ')}`);
  }
  return results;
}
