import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { createForm } from '../../support/ask-service.ts';
import { closeAfterTest, createFolderForTest } from '../../support/cleanup.ts';
import { texts } from '../texts.ts';

let folder: string;
beforeEach(() => {
  folder = createFolderForTest('docshare-passing-');
  vi.stubEnv('TMPDIR', folder);
});

async function open() {
  const sandbox = await closeAfterTest(createSandbox({ data: 'empty' }));
  const authorization = `Bearer ${sandbox.key()}`;
  const post = async (path: string, body: FormData | string) => {
    const headers = { authorization, ...(typeof body === 'string' && { 'content-type': 'application/json' }) };
    const answer = await fetch(sandbox.url + path, { method: 'POST', headers, body });
    return { status: answer.status, body: await answer.json() };
  };
  return {
    sandbox,
    form: () => post('/documents', createForm({ file: new File(['hello'], 'a.txt') })),
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

test('a temporary folder that cannot be created is reported, and the sandbox keeps running', async () => {
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
  // One listener removes the folders of all sandboxes when the process ends.
  for (const { form: store } of [{ form }, await open()])
    expect([(await store()).status, process.listenerCount('exit')]).toEqual([201, listeners + 1]);
  expect(readdirSync(none)).toHaveLength(2);
  process.listeners('exit').at(-1)?.(0);
  expect(readdirSync(none)).toEqual([]);
});

test('a deleted temporary folder is created again, and downloads of its files report that they are gone', async () => {
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

test('a link that replaces a removed folder is not followed', async () => {
  const { form } = await open();
  await form();
  const [was = ''] = readdirSync(folder);
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  rmSync(join(folder, was), { recursive: true });
  symlinkSync(elsewhere, join(folder, was));
  expect((await form()).status).toBe(201);
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('an interrupted request leaves no file behind', async () => {
  const { sandbox, form } = await open();
  await form();
  const [name = ''] = readdirSync(folder);
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(
        Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it'),
      );
      setTimeout(() => controller.error(new Error('The caller hung up')), 50);
    },
  });
  const headers = { authorization: `Bearer ${sandbox.key()}`, 'content-type': 'multipart/form-data; boundary=x' };
  const request: object = { method: 'POST', headers, body, duplex: 'half' };
  await expect(fetch(`${sandbox.url}/documents`, request)).rejects.toThrow();
  await expect.poll(() => readdirSync(join(folder, name))).toHaveLength(1);
  await sandbox.close();
  expect(readdirSync(folder)).toEqual([]);
});

const store = new URL('../../../sandbox/filesystem/file-store.ts', import.meta.url).href;

/** Runs a program that stores a file and exits as given. */
function run(end: string) {
  const program = `import fs from 'node:fs';
    import { createFileStore } from ${JSON.stringify(store)};
    const names = new Map();
    const files = createFileStore({ names: () => names });
    await files.write('key', new Uint8Array(1));
    console.log(fs.readdirSync(${JSON.stringify(folder)}).length);
    ${end}`;
  const env = { ...process.env, TMPDIR: folder };
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' });
}

test.each([
  ['normally', '', 0],
  ['by process.exit', 'process.exit(3);', 3],
])('the temporary folder of a program is removed when it ends %s', (_, end, status) => {
  expect(run(end)).toMatchObject({ status, stdout: '1\n' });
  expect(readdirSync(folder)).toEqual([]);
});
