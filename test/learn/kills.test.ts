import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, type LogEntry, type Sandbox } from '../../sandbox/index.ts';
import { COMPILED, learnMain } from '../world/entry.ts';
import { countAll } from '../world/learn-table.ts';

let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: 1, profile: 'modern+removals=all' });
  folder = mkdtempSync(join(tmpdir(), 'learn-kills-'));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command line, and ends it by a signal as soon as the service has done what `when` waits for. */
async function endWhen(when: (done: readonly LogEntry[]) => boolean, signal: NodeJS.Signals) {
  const done: LogEntry[] = [];
  let after = sandbox.log.entries().at(-1)?.id;
  const child = spawn(
    process.execPath,
    [learnMain, 'learn', '--write', '--only', 'writes,uploads,webhooks', '--out', folder],
    {
      env: {
        ...process.env,
        ...COMPILED,
        DOCSHARE_API_KEY: sandbox.key(),
        DOCSHARE_BASE_URL: sandbox.url,
      },
      stdio: 'ignore',
    },
  );
  const ended = once(child, 'exit');
  const gone = ended.then(() => undefined);
  while (!when(done)) {
    const next = sandbox.log.waitFor(after === undefined ? {} : { after }, { timeoutMs: 60_000 });
    const entry = await Promise.race([next.catch(() => undefined), gone]);
    if (!entry) break;
    after = entry.id;
    if (entry.effect === true) done.push(entry);
  }
  child.kill(signal);
  const [code, by] = await ended;
  return { code, by };
}

const journals = () => readdirSync(folder).filter((name) => name.startsWith('.docshare-learn'));

// `scripts/learn-scale.ts` kills it after each act.
test.for([2, 9, 16])('killed after %i acts, its janitor leaves nothing behind', async (acts) => {
  const before = countAll(sandbox);
  expect(await endWhen((done) => done.length >= acts, 'SIGKILL')).toMatchObject({ by: 'SIGKILL' });
  // The janitor lets the folder go when it has removed all.
  await expect.poll(journals, { interval: 100 }).toEqual([]);
  expect(countAll(sandbox)).toEqual(before);
});

test.for(['webhooks.create', 'documents.finalizeUpload', 'links.create'] as const)(
  'killed while the answer to %s is on its way, what nobody knows the id of is found by its name',
  async (operation) => {
    const before = countAll(sandbox);
    sandbox.faults.add({ operation, when: 'after', delayMs: 2000 });
    const isMade = (done: readonly LogEntry[]) => done.some((entry) => entry.operation === operation);
    expect(await endWhen(isMade, 'SIGKILL')).toMatchObject({ by: 'SIGKILL' });
    sandbox.faults.clear();
    await expect.poll(journals, { interval: 100 }).toEqual([]);
    expect(countAll(sandbox)).toEqual(before);
  },
);

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s removes what was made before the process ends',
  async (signal) => {
    const before = countAll(sandbox);
    expect(await endWhen((done) => done.length >= 4, signal)).toMatchObject({ code: 2 });
    expect(countAll(sandbox)).toEqual(before);
    expect(journals()).toEqual([]);
  },
);
