/** Temporary folders of sandboxes: what killed processes left goes, none is needed for ever, and none that can't be made is kept quiet. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createTempFolder, removeFolder, removeOrphans } from '../../sandbox/filesystem/temp-dir.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { texts } from './texts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docshare-passing-'));
  vi.stubEnv('TMPDIR', folder);
  return () => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  };
});

async function open() {
  const sandbox = await createSandbox({ data: 'empty' });
  onTestFinished(() => sandbox.close());
  const authorization = `Bearer ${sandbox.key()}`;
  const post = async (path: string, body: FormData | string) => {
    const headers = { authorization, ...(typeof body === 'string' && { 'content-type': 'application/json' }) };
    const answer = await fetch(sandbox.url + path, { method: 'POST', headers, body });
    return { status: answer.status, body: await answer.json() };
  };
  return {
    sandbox,
    form() {
      const form = new FormData();
      form.set('file', new Blob(['hello']), 'a.txt');
      return post('/documents', form);
    },
    async direct() {
      const { uploadUrl, headers, storageKey, token } = (await post('/documents/uploads', '{}')).body;
      const put = await fetch(uploadUrl, { method: 'PUT', headers, body: 'hello' });
      const finalize = () => post('/documents/uploads/finalize', JSON.stringify({ storageKey, token }));
      return { status: put.status, text: await put.text(), finalize };
    },
    async read(id: string) {
      const answer = await fetch(`${sandbox.url}/documents/${id}`, { headers: { authorization } });
      const { download_url } = (await answer.json()) as { download_url: string };
      const file = await fetch(download_url);
      return [file.status, await file.text()];
    },
  };
}

test('what a killed process left goes with the next start, and what others hold stays', async () => {
  const made = createTempFolder();
  onTestFinished(() => removeFolder(made));
  const [, , where] = basename(made).split('-');
  expect(basename(made)).toMatch(new RegExp(`^docshare-sandbox-[0-9a-f]{8}-${process.pid}-\\d*-`));
  const named = (pid: number, rest: string) => `docshare-sandbox-${where}-${pid}-${rest}`;
  const left = [named(999999999, '99999999999-aaaaaa')];
  // The number of one that is gone is another program's now.
  if (process.platform === 'linux')
    left.push(named(process.ppid, '99999999999-aaaaaa'), named(process.pid, '99999999999-aaaaaa'));
  // One that lives, one of another machine, one of an older version.
  const others = [
    named(process.ppid, '-aaaaaa'),
    'docshare-sandbox-00000000-999999999-1-aaaaaa',
    'docshare-sandbox-aaaaaa',
  ];
  for (const name of [...left, ...others]) mkdirSync(join(folder, name));
  for (const name of left) writeFileSync(join(folder, name, 'a-document'), 'x');
  const [link, file] = [named(999999999, '99999999999-link'), named(999999999, '99999999999-file')];
  symlinkSync(join(folder, 'docshare-sandbox-aaaaaa'), join(folder, link));
  writeFileSync(join(folder, file), '');
  await open();
  expect(readdirSync(folder).sort()).toEqual([basename(made), ...others, link, file].sort());
  vi.stubEnv('TMPDIR', join(folder, 'none'));
  expect(removeOrphans).not.toThrow();
});

test('a temporary folder that can not be made is told, and the sandbox goes on', async () => {
  const { form, direct } = await open();
  const none = join(folder, 'none');
  vi.stubEnv('TMPDIR', none);
  const listeners = process.listenerCount('exit');
  const words = (apostrophe: string) => `The sandbox can${apostrophe}t write the file to ${none} (ENOENT)`;
  expect(await form()).toEqual({ status: 507, body: { error: { code: 'insufficient_storage', message: words("'") } } });
  expect(await direct()).toMatchObject({
    status: 507,
    text: expect.stringContaining(`<Code>InsufficientStorage</Code><Message>${words('&#39;')}</Message>`),
  });
  expect(process.listenerCount('exit')).toBe(listeners);
  mkdirSync(none);
  expect((await form()).status).toBe(201);
});

test('a temporary folder that was swept away is made again, and what lay in it is gone in words', async () => {
  const { form, direct, read } = await open();
  const { id } = (await form()).body;
  const begun = await direct();
  expect(await read(id)).toEqual([200, 'hello']);
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  expect(await read(id)).toEqual([404, expect.stringContaining(texts.theStoredFileIsMissing)]);
  expect(await begun.finalize()).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining(texts.orItIsMissing) } },
  });
  const after = await form();
  expect(await read(after.body.id)).toEqual([200, 'hello']);
});

test('what a snapshot of another sandbox names, and this one has no bytes of, is gone in words', async () => {
  const [first, second] = [await open(), await open()];
  const { id } = (await first.form()).body;
  second.sandbox.restore(first.sandbox.snapshot());
  expect(await second.read(id)).toEqual([404, expect.stringContaining(texts.theStoredFileIsMissing)]);
});
