import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type Attempt, openAttempt, type Result } from './attempt.ts';
import type { Job } from './job.ts';
import type { ServerName } from './toolbox.ts';

/**
 * Offers jobs, one after another, to any agent that can send HTTP requests: `GET /job`, `GET /tools`, `POST /call` with
 * `{name, arguments}`, `POST /finish` with `{answer}`. The agent does not see how it is graded.
 */
export async function serveJobs(
  jobs: readonly Job[],
  server: ServerName,
  onDone: (results: readonly Result[]) => void,
) {
  const results: Result[] = [];
  let attempt: Attempt | undefined;
  const open = async () => {
    const job = jobs[results.length];
    if (job) attempt ??= await openAttempt(job, server);
    return job;
  };
  const handlers: Record<string, (body: Record<string, unknown>) => Promise<unknown>> = {
    'GET /job': async () => {
      const job = await open();
      if (!job) return { done: true };
      const { instructions = '', world } = attempt ?? {};
      return { number: results.length + 1, of: jobs.length, request: job.request, folder: world?.folder, instructions };
    },
    'GET /tools': async () => (await open()) && attempt?.tools,
    'POST /call': async ({ name, arguments: args }) =>
      (await open()) && attempt?.call(String(name), (args ?? {}) as Record<string, unknown>),
    'POST /finish': async ({ answer }) => {
      if (!attempt) return { error: 'Read the job first: GET /job' };
      const finished = attempt;
      attempt = undefined;
      results.push(await finished.finish(String(answer)));
      if (results.length === jobs.length) onDone(results);
      return { left: jobs.length - results.length };
    },
  };
  const http: Server = createServer(async (request, response) => {
    const handler = handlers[`${request.method} ${request.url}`];
    response.setHeader('content-type', 'application/json');
    try {
      const body = await readJson(request);
      response.statusCode = handler ? 200 : 404;
      response.end(JSON.stringify(handler ? await handler(body) : { routes: Object.keys(handlers) }));
    } catch (error) {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: (error as Error).message }));
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, close: () => http.close() };
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text ? (JSON.parse(text) as Record<string, unknown>) : {};
}
