/** A closed sandbox: its data stays readable, its methods are rejected, and its folder is free for another sandbox. */
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { createFolderForTest } from '../support/cleanup.ts';
import { listenForTest } from '../support/listen.ts';

async function closedOne() {
  const sandbox = await createSandbox({ data: 'empty', clock: 'manual' });
  const key = sandbox.key();
  await fetch(`${sandbox.url}/rooms`, { headers: { authorization: `Bearer ${key}` } });
  await sandbox.close();
  return { sandbox, key };
}

test('the data of a closed sandbox stays readable', async () => {
  const { sandbox } = await closedOne();
  expect(sandbox.log.entries()).toMatchObject([{ operation: 'rooms.list', status: 200 }]);
  expect(sandbox.snapshot().state.usage.api_requests).toBe(1);
  expect(sandbox.deliveries.entries()).toEqual([]);
  await sandbox.deliveries.settled();
  expect(sandbox.clock.now()).toBeGreaterThan(0);
  await expect(fetch(sandbox.url)).rejects.toThrow();
});

test('each method of a closed sandbox fails with its name and changes nothing', async () => {
  const { sandbox, key } = await closedOne();
  const before = sandbox.snapshot();
  const acts: Record<string, (closed: Sandbox) => unknown> = {
    key: (closed) => closed.key(),
    revoke: (closed) => closed.revoke(key),
    rotate: (closed) => closed.rotate(key),
    use: (closed) => closed.use('legacy'),
    'faults.add': (closed) => closed.faults.add({ status: 500 }),
    'clock.advance': (closed) => closed.clock.advance(1),
    'deliveries.redeliver': (closed) => closed.deliveries.redeliver('d'),
    visit: (closed) => closed.visit('l'),
    sign: (closed) => closed.sign('a'),
    endAgreement: (closed) => closed.endAgreement('a', 'declined'),
    reset: (closed) => closed.reset(),
    restore: (closed) => closed.restore(before),
  };
  for (const [name, act] of Object.entries(acts))
    await expect((async () => act(sandbox))(), name).rejects.toThrow(
      new Error(`The sandbox is closed: call ${name} before close`),
    );
  expect(sandbox.snapshot()).toEqual(before);
});

test('close ends a running delivery, and nothing waits for it any more', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const receiver = createServer(() => resolve());
  const sandbox = await createSandbox({ clock: 'manual' });
  const url = await listenForTest(receiver);
  const body = { url, events: ['link.viewed'] };
  await sendJson(sandbox, { key: sandbox.key(), method: 'POST', path: '/webhooks', body });
  const link = [...sandbox.snapshot().state.links.keys()].at(-1) ?? '';
  await sandbox.visit(link, { email: 'ada@example.com' });
  await arrived;
  await sandbox.close();
  expect(sandbox.deliveries.entries()).toMatchObject([{ attempts: [{ status: null }] }]);
});

test('a second close does not touch data that the next sandbox keeps in the same folder', async () => {
  const keepIn = createFolderForTest('docshare-closed-');
  const first = await createSandbox({ dataFolder: keepIn, data: 'empty' });
  await first.close();
  const second = await createSandbox({ dataFolder: keepIn });
  onTestFinished(() => second.close());
  const form = new FormData();
  form.set('file', new Blob(['x']), 'a.txt');
  const headers = { authorization: `Bearer ${second.key()}` };
  await fetch(`${second.url}/documents`, { method: 'POST', headers, body: form });
  await first.close();
  expect(await readdir(join(keepIn, 'files'))).toHaveLength(1);
});
