import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCleanupProcess } from '../../learn/write/cleanup-process.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const MARKER = 'docshare-learn-0123456789ab';
let folder: string;
let server: Server;
let removed: string[];
let refuses: string | undefined;
let restore: (() => void)[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'learn-cleanup-'));
  removed = [];
  refuses = undefined;
  server = createServer(({ url = '' }, response) => {
    if (refuses !== undefined && url.endsWith(refuses)) return void response.writeHead(403).end();
    removed.push(url);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cleanup process ignores these signals. Its listeners are removed again, so that this process does not ignore them.
  restore = SIGNALS.map((signal) => {
    const before = process.listeners(signal);
    return () => {
      for (const one of process.listeners(signal)) if (!before.includes(one)) process.off(signal, one);
    };
  });
});
afterEach(async () => {
  for (const end of restore) end();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** Whether the journal stays when a learner ends after these words. */
async function staysAfter(...words: readonly object[]): Promise<boolean> {
  const journal = join(folder, `.${MARKER}.json`);
  writeFileSync(journal, '{}');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const order = { apiKey: `key-of-${folder}`, baseUrl, marker: MARKER, journal };
  const lines = [order, ...words].map((one) => `${JSON.stringify(one)}\n`).join('');
  async function* input() {
    // As a pipe cuts it.
    yield lines.slice(0, 30);
    yield lines.slice(30);
  }
  await runCleanupProcess(input());
  return existsSync(journal);
}
const remainingPaths = { remainingPaths: ['/documents/d1', '/links/l1'], unverifiedLists: [], preexisting: [] };

test('what a learner left is removed, and its journal goes with it', async () => {
  expect(await staysAfter({ ...remainingPaths, remainingPaths: ['/documents/d1'] }, remainingPaths)).toBe(false);
  expect(removed).toEqual(['/api/v1/links/l1', '/api/v1/documents/d1']);
});

test('what can not be removed stays in the journal, for the next start', async () => {
  refuses = '/documents/d1';
  expect(await staysAfter(remainingPaths)).toBe(true);
  expect(removed).toEqual(['/api/v1/links/l1']);
});

test('nothing is removed after a learner that has ended by itself', async () => {
  expect(await staysAfter(remainingPaths, { done: true })).toBe(true);
  expect(removed).toEqual([]);
});

test('a cleanup process ignores the signals that stop the learner, such as Ctrl-C in a terminal', async () => {
  const countListeners = () => SIGNALS.map((signal) => process.listenerCount(signal));
  const before = countListeners();
  await staysAfter({ done: true });
  expect(countListeners()).toEqual(before.map((count) => count + 1));
});
