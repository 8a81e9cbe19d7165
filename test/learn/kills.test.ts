import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { createSandbox, type LogEntry, type Sandbox } from '../../sandbox/index.ts';
import { COMPILED, learnMain } from '../support/entry.ts';
import { countAll } from '../support/learn-table.ts';

/** `before` is the number of objects before the run. */
type Place = Readonly<{ sandbox: Sandbox; folder: string; before: ReturnType<typeof countAll> }>;

/** With its own service and folder: the tests run side by side, because each mostly waits. */
async function inPlace(act: (place: Place) => Promise<void>): Promise<void> {
  const sandbox = await createSandbox({ seed: 1, profile: 'modern+undocumentedDeletes=all' });
  const folder = mkdtempSync(join(tmpdir(), 'learn-kills-'));
  try {
    await act({ sandbox, folder, before: countAll(sandbox) });
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the command line, and sends the signal as soon as the service has done what `when` waits for. */
async function endWhen(
  { sandbox, folder }: Place,
  when: (done: readonly LogEntry[]) => boolean,
  signal: NodeJS.Signals,
) {
  const done: LogEntry[] = [];
  let after = sandbox.log.entries().at(-1)?.id;
  const child = spawn(
    process.execPath,
    [learnMain, 'learn', '--write', '--only', 'writes,uploads,webhooks', '--out', folder],
    {
      env: { ...process.env, ...COMPILED, DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url },
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

test.concurrent.for([2, 16])(
  'after the learner is killed at %i writes, its cleanup process removes everything',
  (acts, { expect }) =>
    inPlace(async (place) => {
      expect(await endWhen(place, (done) => done.length >= acts, 'SIGKILL')).toMatchObject({ by: 'SIGKILL' });
      await expect.poll(() => countAll(place.sandbox), { interval: 100 }).toEqual(place.before);
    }),
);

test.concurrent.for(['webhooks.create', 'documents.finalizeUpload', 'links.create'] as const)(
  'an object whose ID is unknown, because the learner was killed during %s, is found by its name and removed',
  (operation, { expect }) =>
    inPlace(async (place) => {
      const { faults } = place.sandbox;
      faults.add({ operation, when: 'after', delayMs: 2000 });
      const isMade = (done: readonly LogEntry[]) => done.some((entry) => entry.operation === operation);
      expect(await endWhen(place, isMade, 'SIGKILL')).toMatchObject({ by: 'SIGKILL' });
      faults.clear();
      await expect.poll(() => countAll(place.sandbox), { interval: 100 }).toEqual(place.before);
    }),
);

test.concurrent.for(['SIGINT', 'SIGTERM'] as const)(
  '%s removes all created objects before the process ends',
  (signal, { expect }) =>
    inPlace(async (place) => {
      expect(await endWhen(place, (done) => done.length >= 4, signal)).toMatchObject({ code: 2 });
      expect(countAll(place.sandbox)).toEqual(place.before);
    }),
);
