import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchFile } from '../../mcp/files/fetch-file.ts';
import { createFileAccess } from '../../mcp/files/file-access.ts';
import { saveFile } from '../../mcp/files/save-file.ts';
import { openUploadSource } from '../../mcp/files/upload-source.ts';

let root: string;
let inside: string;
let outside: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'docshare-exchanged-')));
  inside = join(root, 'allowed');
  outside = join(root, 'elsewhere');
  mkdirSync(join(inside, 'sub'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(inside, 'sub', 'a.pdf'), '%PDF-1.4 mine');
  writeFileSync(join(outside, 'a.pdf'), '%PDF-1.4 secret');
  symlinkSync(outside, join(root, 'link'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Exchanges the folder `sub` with a link that leads out, as fast as it can. */
const SWAP = `
  const { renameSync } = require('node:fs');
  const { workerData: { root, flag } } = require('node:worker_threads');
  const sub = root + '/allowed/sub', link = root + '/link', kept = root + '/kept';
  const on = new Int32Array(flag);
  while (Atomics.load(on, 0) === 0) {
    renameSync(sub, kept); renameSync(link, sub);
    renameSync(sub, link); renameSync(kept, sub);
  }
`;

async function whileSwapping(act: () => Promise<void>): Promise<void> {
  const flag = new SharedArrayBuffer(4);
  const worker = new Worker(SWAP, { eval: true, workerData: { root, flag } });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await act();
  Atomics.store(new Int32Array(flag), 0, 1);
  await ended;
}

test.skipIf(process.platform !== 'linux')(
  'no upload reads a file outside, though its folder is exchanged all the time',
  async () => {
    const files = createFileAccess([inside]);
    const read = new Set<string>();
    await whileSwapping(async () => {
      for (let attempt = 0; attempt < 1320; attempt++) {
        const file = await openUploadSource({ path: 'sub/a.pdf' }, { files }).catch(() => undefined);
        if (!file) continue;
        const chunks: Uint8Array[] = [];
        try {
          const source = 'stream' in file.source ? file.source.stream() : file.source;
          for await (const chunk of source as AsyncIterable<Uint8Array>) chunks.push(chunk);
          read.add(Buffer.concat(chunks).toString());
        } finally {
          await file.close();
        }
      }
    });
    expect([...read]).toEqual(['%PDF-1.4 mine']);
  },
  60_000,
);

test('a save whose folder is exchanged after the check leaves nothing outside', async () => {
  const files = createFileAccess([inside]);
  const target = await files.resolveNew('sub/new.pdf', 'new.pdf');
  renameSync(join(inside, 'sub'), join(root, 'kept'));
  symlinkSync(outside, join(inside, 'sub'));
  async function* bytes() {
    yield Buffer.from('x');
  }
  const saved = saveFile(target, bytes(), { verifyOpened: files.verifyOpened });
  await expect(saved).rejects.toMatchObject({ code: 'path_not_allowed' });
  rmSync(join(inside, 'sub'));
  renameSync(join(root, 'kept'), join(inside, 'sub'));
  expect(readdirSync(outside)).toEqual(['a.pdf']);
});

test('an address that drips has one deadline for all, and the name it gives is made safe', async () => {
  const drops: ReturnType<typeof setInterval>[] = [];
  const server = createServer((request, response) => {
    const name = 'attachment; filename="..\\\\..\\\\.npmrc/Q3 deck.pdf"';
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-disposition': name });
    response.write('%PDF-');
    if (request.url === '/whole') response.end();
    else drops.push(setInterval(() => response.write('.'), 20));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const isOpen = () => true;
  const whole = await fetchFile(`${base}/whole`, { isAllowed: isOpen });
  expect(whole.name).toBe('Q3 deck.pdf');
  await whole.close();
  const file = await fetchFile(`${base}/drip`, { isAllowed: isOpen, timeoutMs: 1000 });
  const readAll = async () => {
    for await (const _ of file.bytes);
  };
  await expect(readAll()).rejects.toMatchObject({ code: 'url_failed' });
  await file.close();
  drops.forEach(clearInterval);
  server.closeAllConnections();
  server.close();
});
