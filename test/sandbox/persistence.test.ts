/** State that outlives its process: kept in a folder, or saved to one and loaded again. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts';
import type { ContactRecord } from '../../sandbox/state/records.ts';
import { sendJson } from '../support/ask-service.ts';
import { sandboxMain } from '../support/entry.ts';
import { createFolderForTest } from '../support/temp-folder.ts';
import { texts } from './texts.ts';

let folder: string;
const opened: Sandbox[] = [];
beforeEach(() => {
  folder = createFolderForTest('docshare-keep-');
});
afterEach(() => Promise.all(opened.splice(0).map((sandbox) => sandbox.close())));

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  opened.push(sandbox);
  return sandbox;
}

async function call(url: string, key: string, body?: object) {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBeLessThan(300);
  return response.json();
}

const newContact: ContactRecord = {
  id: '',
  email: '',
  name: null,
  company: null,
  phone: null,
  tags: [],
  custom: {},
  created_at: 0,
  updated_at: 0,
};

async function startBin(...args: string[]) {
  const options = ['--port', '0', '--empty', '--data', folder, ...args];
  const child = spawn(process.execPath, [sandboxMain, ...options]);
  const [line] = await once(createInterface(child.stderr), 'line');
  return { child, url: JSON.parse(line).url as string };
}

test.each(['SIGHUP', 'SIGKILL'] as const)('records, files and keys are available again after %s', async (signal) => {
  const first = await startBin('--seed', '7');
  const [{ key }] = await (await fetch(first.url.replace('/api/v1', '/_sandbox/keys'))).json();
  const document = await call(`${first.url}/documents`, key, { name: 'Kept', content: 'aGVsbG8=' });
  // A killed process can lose the last 100 ms, so this test reads the state that was saved by then.
  const written = async () => (await readFile(join(folder, 'state.bin'), 'utf8').catch(() => '')).includes('Kept');
  while (signal === 'SIGKILL' && !(await written())) await new Promise((resolve) => setTimeout(resolve, 20));
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
  const sandbox = await start({ data: 'empty', dataFolder: folder });
  const snapshot = sandbox.snapshot();
  const createContact = (index: number) => ({ ...newContact, id: `con_${index}`, email: `${index}@example.com` });
  for (let index = 0; index < 2500; index++) snapshot.state.contacts.set(`con_${index}`, createContact(index));
  sandbox.restore(snapshot);
  const key = sandbox.key();
  for (let index = 0; index < 20; index++)
    await call(`${sandbox.url}/contacts`, key, { email: `new${index}@example.com` });
  const { state } = sandbox.snapshot();
  await sandbox.close();
  expect((await start({ dataFolder: folder })).snapshot().state).toEqual(state);
});

test.each([
  ['truncated', (text: string) => text.slice(0, -200), texts.isDamagedMoveItAway],
  ['changed in one character', (text: string) => text.replace('Kept', 'Kepf'), texts.isDamagedMoveItAway],
  ['empty', () => '', texts.isDamagedOrNotA],
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
  await start({ dataFolder: folder });
  await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(
    `in use by another sandbox (process ${process.pid})`,
  );
  await opened.pop()?.close();
  expect(await readdir(folder)).not.toContain('lock');
});

test('a removed folder is reported once and rejects uploads, and files of the next sandbox there stay unchanged', async () => {
  const said: unknown[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(text) > 0);
  onTestFinished(() => void vi.restoreAllMocks().useRealTimers());
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
  ['a process with the same ID, as in a container', `${process.pid} of before\n`],
  ['a process that was killed during its start', ''],
])('a lock that was left by %s is taken over', async (_, text) => {
  const path = join(folder, 'lock');
  await writeFile(path, text);
  await utimes(path, 1, 1);
  await start({ dataFolder: folder });
  expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  expect((await readdir(folder)).filter((name) => name.startsWith('lock'))).toEqual(['lock']);
});

test.skipIf(process.platform !== 'linux')(
  'a lock whose process ID now belongs to another program is taken over, but not one of this program',
  async () => {
    const path = join(folder, 'lock');
    await writeFile(path, `${process.ppid} of-before 1\n`);
    await (await createSandbox({ dataFolder: folder })).close();
    await writeFile(path, `${process.ppid} of-before\n`);
    await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(texts.inUseByAnotherSandbox);
  },
);

test("a lock of another user's running process is respected", async () => {
  await writeFile(join(folder, 'lock'), '7 of-before\n');
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(texts.inUseByAnotherSandbox);
});

test('if two starts find a stale lock, the later one leaves it to the first', async () => {
  const [path, left] = [join(folder, 'lock'), '999999999\n'];
  const turn = createHash('sha256').update(left).digest('hex').slice(0, 16);
  await writeFile(path, left);
  await writeFile(`${path}.${turn}`, 'of the first');
  await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(texts.inUseByAnotherSandbox);
  expect(await readFile(path, 'utf8')).toBe(left);
});

test('an empty lock that was just created is respected, and a lock that is not a file is an error', async () => {
  const path = join(folder, 'lock');
  await writeFile(path, '');
  await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(texts.useAnotherSandboxGive);
  await rm(path);
  execFileSync('mkfifo', [path]);
  await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(`${path} exists but is not a file.`);
});

test.each(['/dev/null', '/dev/null/below', '/proc/none'])('%s is rejected as a folder, with a sentence', (keepIn) =>
  expect(createSandbox({ dataFolder: keepIn })).rejects.toThrow(
    new RegExp(`^The folder ${keepIn} can't be written \\(ENO\\w+\\)\\. Choose another folder$`),
  ),
);

test('a state that is not a file, or a files folder that is not a folder, is rejected at once', async () => {
  execFileSync('mkfifo', [join(folder, 'state.bin')]);
  await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(texts.stateFileExistsBut);
  await rm(join(folder, 'state.bin'));
  await writeFile(join(folder, 'files'), '');
  await expect(createSandbox({ dataFolder: folder })).rejects.toThrow(texts.filesExistsButFolder);
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
  next.reset();
  expect(next.snapshot().state.documents.size).toBe(0);
});
