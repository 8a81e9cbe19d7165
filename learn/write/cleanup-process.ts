import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../src/create-client.ts';
import { deleteJournal } from './journal.ts';
import type { PendingCleanup } from './pending-cleanup.ts';
import { removeAll } from './remove.ts';

/** Another process, which removes what was made when this one ends without a word. */
export interface CleanupProcess {
  update(state: PendingCleanup): Promise<void>;
  /** Everything is removed. */
  stop(): Promise<void>;
}

interface CleanupJob {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly marker: string;
  /** The journal, which ends with what it speaks of. */
  readonly journal: string;
}

/** What starts the cleanup process: a program and its first arguments. */
export type CleanupCommand = readonly [string, ...string[]];

/**
 * Starts the cleanup process, detached: a kill of this process, or of its group, leaves it. The key travels through the pipe, never in
 * an argument or a variable that others could read.
 */
export function startCleanupProcess([program, ...args]: CleanupCommand, job: CleanupJob): CleanupProcess {
  const child = spawn(program, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Without one, the journal is still there.
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
    async update(state) {
      await jobSent;
      await send(state);
    },
    async stop() {
      await send({ done: true });
      await waitForExit(child);
    },
  };
}

/** So long the cleanup process may take to go home. */
const EXIT_TIMEOUT_MS = 3000;

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.ref();
  const exit = once(child, 'exit');
  child.stdin?.end();
  const waitAborter = new AbortController();
  await Promise.race([
    exit,
    sleep(EXIT_TIMEOUT_MS, undefined, { signal: waitAborter.signal }).catch(() => undefined),
  ]);
  waitAborter.abort();
  child.unref();
}

/** When a request was cut, its service may still be making something: looked for at once, and again a little later. */
const SEARCH_DELAYS_MS = [500, 1500, 4000];

/** The cleanup process's own life: reads what is told until the pipe ends, and removes what is then still there. */
export async function runCleanupProcess(input: AsyncIterable<Buffer | string>): Promise<void> {
  // A terminal's Ctrl-C is not meant for it.
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
  const { apiKey, baseUrl, marker, journal } = job;
  const client = createClient({ apiKey, baseUrl });
  try {
    const { unremoved } = await removeAll(client, { ...state, marker }, { searchDelaysMs: SEARCH_DELAYS_MS });
    // What could not be removed stays in the journal, for the next start.
    if (unremoved.length === 0) await deleteJournal(journal);
  } finally {
    await client.close();
  }
}
