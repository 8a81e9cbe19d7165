import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../src/create-client.ts';
import { type PendingCleanup, removeAll } from './remove.ts';

/** A process that removes the created objects if this one is killed. */
export type CleanupProcess = ReturnType<typeof startCleanupProcess>;

interface CleanupJob {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly marker: string;
}

/** Program and arguments that start the cleanup process. */
export type CleanupCommand = readonly [string, ...string[]];

/**
 * Starts the cleanup process detached, so that it survives a kill of this process or its group. The API key is sent through
 * the pipe, never in an argument or environment variable that others could read.
 */
export function startCleanupProcess([program, ...args]: CleanupCommand, job: CleanupJob) {
  const child = spawn(program, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // If it fails, this process still removes the objects.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  const send = (message: object) =>
    new Promise<void>((resolve) => {
      if (child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`, () => resolve());
      else resolve();
    });
  const jobSent = send(job);
  return {
    async update(state: PendingCleanup): Promise<void> {
      await jobSent;
      await send(state);
    },
    /** Call when everything is removed. */
    async stop(): Promise<void> {
      await send({ done: true });
      await waitForExit(child);
    },
  };
}

const EXIT_TIMEOUT_MS = 3000;

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.ref();
  const exit = once(child, 'exit');
  child.stdin?.end();
  const stop = new AbortController();
  const { signal } = stop;
  await Promise.race([exit, sleep(EXIT_TIMEOUT_MS, undefined, { signal }).catch(() => undefined)]);
  stop.abort();
  child.unref();
}

/** The service may still be creating an object after its request was cut, so lists are searched several times. */
const SEARCH_DELAYS_MS = [500, 1500, 4000];

/** Runs the cleanup process: reads updates until the pipe closes, then removes the remaining objects. */
export async function runCleanupProcess(input: AsyncIterable<Buffer | string>): Promise<void> {
  // Ctrl-C in the terminal must not end the cleanup.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  let job: CleanupJob | undefined;
  let state: PendingCleanup = { remainingPaths: [], unverifiedLists: [], preexisting: [] };
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as CleanupJob | PendingCleanup | { done: true };
      if ('done' in message) return;
      if ('apiKey' in message) job = message;
      else state = message;
    }
  }
  if (!job) return;
  const { apiKey, baseUrl, marker } = job;
  const client = createClient({ apiKey, baseUrl });
  try {
    await removeAll(client, { ...state, marker }, { searchDelaysMs: SEARCH_DELAYS_MS });
  } finally {
    await client.close();
  }
}
