/**
 * Saving of changes: each change is saved soon, each new problem is reported, and files of another sandbox are never
 * overwritten.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.ts';
import { sendJson } from '../../support/ask-service.ts';
import { createFolderForTest } from '../../support/temp-folder.ts';
import { texts } from '../texts.ts';

let folder: string;
beforeEach(() => {
  folder = createFolderForTest('docshare-changes-');
});

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ dataFolder: folder, clock: 'manual', ...options });
  onTestFinished(() => sandbox.close().catch(() => undefined));
  return sandbox;
}

/** Messages on stderr since the start of the test. */
function listen(): unknown[] {
  const said: unknown[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(text) > 0);
  onTestFinished(() => void vi.restoreAllMocks().useRealTimers());
  return said;
}

const kept = () => readFile(join(folder, 'state.bin'), 'utf8').catch(() => '');
/** Waits until everything is saved and returns the saved state. */
async function waitForSave(): Promise<string> {
  await expect.poll(kept).not.toBe('');
  for (let last = ''; ; await setTimeout(250)) {
    const text = await kept();
    if (text === last) return text;
    last = text;
  }
}
const storeDocument = (sandbox: Sandbox) =>
  sendJson(sandbox, {
    key: sandbox.key(),
    method: 'POST',
    path: '/documents',
    body: { name: 'Kept', content: 'aGVsbG8=' },
  });
const openLink = (sandbox: Sandbox) =>
  [...sandbox.snapshot().state.links.values()].find(
    ({ password, expires_at }) => password === null && expires_at === null,
  )?.id ?? '';
const sentAgreement = (sandbox: Sandbox) =>
  [...sandbox.snapshot().state.agreements.values()].find(({ status }) => status === 'sent')?.id ?? '';

test.each<[string, (sandbox: Sandbox, before: ReturnType<Sandbox['snapshot']>) => unknown]>([
  ['key', (sandbox) => sandbox.key(['links:read'])],
  ['revoke', (sandbox) => sandbox.revoke(sandbox.key())],
  ['rotate', (sandbox) => sandbox.rotate(sandbox.key())],
  ['use', (sandbox) => sandbox.use('legacy')],
  ['visit', (sandbox) => sandbox.visit(openLink(sandbox), { email: 'ada@example.com', ndaAccepted: true })],
  ['sign', (sandbox) => sandbox.sign(sentAgreement(sandbox))],
  ['end', (sandbox) => sandbox.endAgreement(sentAgreement(sandbox), 'declined')],
  ['clock.advance', (sandbox) => sandbox.clock.advance(5000)],
  ['reset', (sandbox) => sandbox.reset()],
  ['restore', (sandbox, before) => sandbox.restore(before)],
])('a change by %s is saved without another change or a close', async (act, change) => {
  const sandbox = await start();
  const before = sandbox.snapshot();
  // A snapshot to restore.
  if (act === 'reset' || act === 'restore') sandbox.use('raw');
  const was = await waitForSave();
  await change(sandbox, before);
  await expect.poll(kept).not.toBe(was);
});

test('a sandbox without pending changes leaves the files of the next sandbox in the folder alone', async () => {
  const first = await start({ data: 'empty' });
  await waitForSave();
  await rm(folder, { recursive: true });
  const second = await start({ data: 'empty' });
  expect((await storeDocument(second)).status).toBe(201);
  await expect(first.close()).rejects.toThrow(texts.removedWhileSandboxRunning);
  expect(await readdir(join(folder, 'files'))).toHaveLength(1);
});

test('a problem that recurs after recovery is reported again, and pending changes are saved after each recovery', async () => {
  const said = listen();
  const sandbox = await start({ data: 'empty' });
  await waitForSave();
  const inTheWay = join(folder, 'state.bin.tmp');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (const round of [1, 2]) {
    await mkdir(inTheWay);
    const key = sandbox.key(['links:read']);
    await vi.advanceTimersByTimeAsync(100);
    vi.useRealTimers();
    await expect.poll(() => said).toHaveLength(round);
    await rm(inTheWay, { recursive: true });
    sandbox.key(['links:write']);
    await expect.poll(kept).toContain(key);
    await waitForSave();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  }
  expect(new Set(said).size).toBe(1);
});

test('a files folder that is created again is private to this user', async () => {
  const sandbox = await start({ data: 'empty' });
  await rm(join(folder, 'files'), { recursive: true, force: true });
  await storeDocument(sandbox);
  expect((await stat(join(folder, 'files'))).mode & 0o077).toBe(0);
});

test('a sandbox keeps its folder after the program changes its working directory', () => {
  const index = new URL('../../../sandbox/index.ts', import.meta.url).href;
  const program = `import { createSandbox } from ${JSON.stringify(index)};
    const sandbox = await createSandbox({ dataFolder: 'kept', data: 'empty' });
    process.chdir('/');
    sandbox.key(['links:read']);
    await sandbox.close();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  expect(execFileSync('ls', [join(folder, 'kept')], { encoding: 'utf8' }).split('\n')).toContain('state.bin');
  expect(execFileSync('ls', [join(folder, 'kept')], { encoding: 'utf8' })).not.toContain('lock');
});
