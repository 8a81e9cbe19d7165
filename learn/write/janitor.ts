import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../src/create-client.ts';
import { endJournal } from './journal.ts';
import type { Open } from './open.ts';
import { removeAll } from './remove.ts';

/** Another process, which removes what was made when this one ends without a word. */
export interface Janitor {
  tell(state: Open): Promise<void>;
  /** Everything is removed. */
  dismiss(): Promise<void>;
}

interface Order {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly marker: string;
  /** The journal, which ends with what it speaks of. */
  readonly journal: string;
}

/** What starts a janitor: a program and its first arguments. */
export type JanitorCommand = readonly [string, ...string[]];

/**
 * Starts a janitor, detached: a kill of this process, or of its group, leaves it. The key travels through the pipe, never in
 * an argument or a variable that others could read.
 */
export function startJanitor([program, ...args]: JanitorCommand, order: Order): Janitor {
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
  const begun = send(order);
  return {
    async tell(state) {
      await begun;
      await send(state);
    },
    async dismiss() {
      await send({ done: true });
      await ended(child);
    },
  };
}

/** So long a janitor may take to go home. */
const EXIT_TIMEOUT_MS = 3000;

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.ref();
  const exit = once(child, 'exit');
  child.stdin?.end();
  const waited = new AbortController();
  await Promise.race([
    exit,
    sleep(EXIT_TIMEOUT_MS, undefined, { signal: waited.signal }).catch(() => undefined),
  ]);
  waited.abort();
  child.unref();
}

/** When a request was cut, its service may still be making something: looked for at once, and again a little later. */
const SEARCH_DELAYS_MS = [500, 1500, 4000];

/** The janitor's own life: reads what is told until the pipe ends, and removes what is then still there. */
export async function beJanitor(input: AsyncIterable<Buffer | string>): Promise<void> {
  // A terminal's Ctrl-C is not meant for it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  let order: Order | undefined;
  let state: Open = { open: [], doubts: [], spared: [] };
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Order | Open | { done: true };
      if ('done' in message) return;
      if ('apiKey' in message) order = message;
      else state = message;
    }
  }
  if (!order) return;
  const { apiKey, baseUrl, marker, journal } = order;
  const client = createClient({ apiKey, baseUrl });
  try {
    const { left } = await removeAll(client, { ...state, marker }, { waitsMs: SEARCH_DELAYS_MS });
    // What could not be removed stays in the journal, for the next start.
    if (left.length === 0) await endJournal(journal);
  } finally {
    await client.close();
  }
}
