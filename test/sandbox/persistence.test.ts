import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { closeAfterTest, createFolderForTest } from '../support/cleanup.ts';
import { sandboxMain } from '../support/entry.ts';
import { texts } from './texts.ts';

let folder: string;
beforeEach(() => {
  folder = createFolderForTest('docshare-keep-');
});

const start = (options: SandboxOptions = {}) => closeAfterTest(createSandbox(options));

async function call(url: string, key: string, body?: object) {
  const response = await sendJson({ url }, { key, method: body ? 'POST' : 'GET', path: '', body });
  expect(response.status).toBeLessThan(300);
  return response.body;
}

async function startBin(...args: string[]) {
  const child = spawn(process.execPath, [sandboxMain, '--port', '0', '--empty', '--data', folder, ...args]);
  const [line] = await once(createInterface(child.stderr), 'line');
  return { child, url: JSON.parse(line).url as string };
}

test.each(['SIGHUP', 'SIGKILL'] as const)('records, files and keys are available again after %s', async (signal) => {
  const first = await startBin('--seed', '7');
  const [{ key }] = await (await fetch(first.url.replace('/api/v1', '/_sandbox/keys'))).json();
  const document = await call(`${first.url}/documents`, key, { name: 'Kept', content: 'aGVsbG8=' });
  // A killed process can lose the last 100 ms, so this test reads the state that was saved by then.
  const written = async () => (await kept()).includes('Kept');
  while (signal === 'SIGKILL' && !(await written())) await setTimeout(20);
  first.child.kill(signal);
  await once(first.child, 'exit');
  const second = await startBin();
  const again = await call(`${second.url}/documents/${document.id}`, key);
  expect(again.name).toBe('Kept');
  expect(await (await fetch(again.download_url)).text()).toBe('hello');
  expect((await stat(join(folder, 'state.bin'))).mode & 0o077).toBe(0);
  second.child.kill('SIGTERM');
  await once(second.child, 'exit');
  expect((await readdir(folder)).sort()).toEqual(['files', 'state.bin']);
});

test('a large state is available again, also with changes while it is saved', async () => {
  const contacts = Array.from({ length: 2500 }, (_, index) => ({ email: `${index}@example.com` }));
  const sandbox = await start({ fixtures: { contacts }, dataFolder: folder });
  for (let index = 0; index < 20; index++)
    await call(`${sandbox.url}/contacts`, sandbox.key(), { email: `new${index}@example.com` });
  const { state } = sandbox.snapshot();
  await sandbox.close();
  expect((await start({ dataFolder: folder })).snapshot().state).toEqual(state);
});

test.each([
  ['changed in one character', (text: string) => text.replace('Kept', 'Kepf'), texts.isDamagedMoveItAway],
  ['from another program', () => '{"hello":1}\n', texts.isDamagedOrNotA],
  ['from a newer sandbox', (text: string) => text.replace('"version":1', '"version":99'), 'newer sandbox (format 99'],
])('a state that is %s is rejected with a sentence and left unchanged', async (_, spoil, sentence) => {
  const sandbox = await start({ data: 'empty', dataFolder: folder });
  await call(`${sandbox.url}/rooms`, sandbox.key(), { name: 'Kept' });
  await sandbox.close();
  const path = join(folder, 'state.bin');
  const spoiled = spoil(await readFile(path, 'utf8'));
  await writeFile(path, spoiled);
  await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(sentence);
  expect(await readFile(path, 'utf8')).toBe(spoiled);
});

test('only one sandbox at a time can use a folder', async () => {
  const first = await start({ dataFolder: folder });
  await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(
    `in use by another sandbox (process ${process.pid})`,
  );
  await first.close();
  expect(await readdir(folder)).not.toContain('lock');
});

test('a removed folder is reported once and rejects uploads, and files of the next sandbox there stay unchanged', async () => {
  const said: unknown[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(text) > 0);
  const first = await createSandbox({ dataFolder: folder, data: 'empty' });
  await expect.poll(() => readdir(folder)).toContain('state.bin');
  await rm(folder, { recursive: true });
  const words = `${folder} or its lock was removed while the sandbox was running.`;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (const scope of ['links:read', 'links:write'] as const) {
    first.key([scope]);
    await vi.advanceTimersByTimeAsync(100);
  }
  vi.useRealTimers();
  await expect.poll(() => said.length).toBeGreaterThan(0);
  const lost = { key: first.key(), method: 'POST', path: '/documents', body: { name: 'Lost', content: 'aGVsbG8=' } };
  expect((await sendJson(first, lost)).status).toBe(507);
  expect(said).toEqual([`The state could not be saved: ${words} Changes are no longer saved. Restart the sandbox.\n`]);
  const second = await start({ dataFolder: folder });
  await call(`${second.url}/documents`, second.key(), { name: 'Kept', content: 'aGVsbG8=' });
  await expect.poll(() => readFile(join(folder, 'state.bin'), 'utf8')).toContain('Kept');
  const kept = await readFile(join(folder, 'state.bin'), 'utf8');
  await expect(first.close()).rejects.toThrow(words);
  expect(await readFile(join(folder, 'state.bin'), 'utf8')).toBe(kept);
  expect(await readdir(join(folder, 'files'))).toHaveLength(1);
  expect(await readdir(folder)).toContain('lock');
});

test.each([
  ['another process that has ended', '999999999\n'],
  ['a process that was killed during its start', ''],
])('a lock that was left by %s is taken over', async (_, text) => {
  const path = join(folder, 'lock');
  await writeFile(path, text);
  await utimes(path, 1, 1);
  await start({ dataFolder: folder });
  expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  expect((await readdir(folder)).filter((name) => name.startsWith('lock'))).toEqual(['lock']);
});

test('a file is rejected as a folder, with a sentence', () =>
  expect(createSandbox({ dataFolder: '/dev/null' })).rejects.toThrow(
    /^The folder \/dev\/null can't be written \(ENOTDIR\)\. Choose another folder$/,
  ));

test.each([
  ['state.bin', () => symlinkSync('state.bin', join(folder, 'state.bin')), "can't be read (ELOOP)"],
  ['files', () => writeFile(join(folder, 'files'), ''), 'exists but is not a folder'],
] as const)('an unreadable %s is not taken as an empty folder', async (name, spoil, problem) => {
  await spoil();
  await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(`${join(folder, name)} ${problem}`);
});

test('the next sandbox of a folder restores everything: visits, files, clock, profile, pending deliveries', async () => {
  const sandbox = await start({ clock: 'manual', profile: 'ledger+eventShape=flat', dataFolder: folder });
  const key = sandbox.key();
  await call(`${sandbox.url}/webhooks`, key, { url: 'http://127.0.0.1:9/', event_types: ['link.viewed'] });
  const { id } = await call(`${sandbox.url}/documents`, key, { name: 'Kept', content: 'aGVsbG8=' });
  const link = await call(`${sandbox.url}/links`, key, { document_id: id });
  await sandbox.visit(link.id, { email: 'ada@example.com', pages: [3, 4] });
  await sandbox.deliveries.settled();
  await sandbox.clock.advance(3_600_000);
  await sandbox.close();
  const next = await start({ data: 'empty', clock: 'manual', dataFolder: folder });
  expect(next.snapshot().state).toEqual(sandbox.snapshot().state);
  expect([next.clock.now(), next.profile]).toEqual([sandbox.clock.now(), sandbox.profile]);
  const { download_url } = await call(`${next.url}/documents/${id}`, key);
  expect(await (await fetch(download_url)).text()).toBe('hello');
  await call(`${next.url}/documents`, key, { name: 'Another', content: 'aGVsbG8=' });
  next.reset();
  expect(next.snapshot().state.documents.size).toBe(0);
  await next.close();
  expect(await readdir(join(folder, 'files'))).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('an error while saving the state names the folder', async () => {
  symlinkSync('/dev/full', join(folder, 'state.bin.tmp'));
  await expect((await createSandbox({ data: 'empty', dataFolder: folder })).close()).rejects.toMatchObject({
    message: `The folder ${folder} can't be written (ENOSPC). Free space there or choose another folder`,
    code: 'ENOSPC',
  });
  expect(await readdir(folder)).not.toContain('lock');
});

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
  const sandbox = await start({ dataFolder: folder, clock: 'manual' });
  const before = sandbox.snapshot();
  // A snapshot to restore.
  if (act === 'reset' || act === 'restore') sandbox.use('raw');
  const was = await waitForSave();
  await change(sandbox, before);
  await expect.poll(kept).not.toBe(was);
});

test('a snapshot restores stored data, including uploads and the profile, any number of times', async () => {
  const sandbox = await start({ data: 'empty' });
  const send = (path: string, body?: object) => call(`${sandbox.url}${path}`, sandbox.key(), body);
  const { id } = await send('/documents', { name: 'Kept', content: 'aGVsbG8=' });
  const snapshot = sandbox.snapshot();
  for (const round of [1, 2]) {
    await send('/rooms', { name: `R${round}` });
    sandbox.use('numeric');
    sandbox.restore(snapshot);
    expect(await send('/rooms')).toMatchObject({ data: [] });
    const { download_url } = await send(`/documents/${id}`);
    expect(await (await fetch(download_url)).text()).toBe('hello');
  }
});

test('the real clock runs and can be moved forward, and the manual clock only moves on request', async () => {
  const [real, manual] = await Promise.all([start(), start({ clock: 'manual' })]);
  const [realStart, manualStart] = [real.clock.now(), manual.clock.now()];
  expect(realStart).toBeLessThanOrEqual(Date.now());
  await real.clock.advance(3_600_000);
  await setTimeout(20);
  expect(real.clock.now() - realStart).toBeGreaterThanOrEqual(3_600_015);
  await manual.clock.advance(500);
  expect(manual.clock.now() - manualStart).toBe(500);
  await expect(manual.clock.advance(-1)).rejects.toThrow('only moves forward');
});
