/** Files that are exchanged under the eyes of who reads or writes them. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fetchFile } from '../../../../mcp/files/fetch-file.ts';
import { createFileAccess, MAX_FILE_BYTES } from '../../../../mcp/files/file-access.ts';
import { saveFile } from '../../../../mcp/files/save-file.ts';
import { MAX_CONTENT_BYTES, openUploadSource } from '../../../../mcp/files/upload-source.ts';
import { ToolError } from '../../../../mcp/tool-error.ts';
import { texts } from '../../../mcp/texts.ts';
import { standIn } from '../../../support/stand-in.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docshare-exchanged-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function* body() {
  yield Buffer.from('%PDF-1.4 signed');
}

test('a file that is found to stand elsewhere once it has its name is taken away again', async () => {
  const path = join(folder, 'a.pdf');
  const places: string[] = [];
  const opened = async (_: unknown, place: string) => {
    places.push(place);
    if (place === path) throw new ToolError('path_not_allowed', 'It leads out of the allowed folders.');
  };
  await expect(saveFile(path, body(), { verifyOpened: opened })).rejects.toMatchObject({ code: 'path_not_allowed' });
  expect(places).toEqual([expect.stringMatching(/\.part$/), path]);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['of the same length, written later', '%PDF-1.4 yours', 60],
  ['of another length, of the same time', '%PDF-1.4 your own', 0],
])('another file %s, at the path of one that was opened is told', async (_, text, laterS) => {
  const path = join(folder, 'a.pdf');
  const [time, later] = [1_700_000_000, 1_700_000_000 + laterS];
  writeFileSync(path, '%PDF-1.4 mine.');
  utimesSync(path, time, time);
  const file = await openUploadSource({ path }, { files: createFileAccess([folder]) });
  try {
    expect(await file.getChangeMessage()).toBeUndefined();
    writeFileSync(join(folder, 'b.pdf'), text);
    utimesSync(join(folder, 'b.pdf'), later, later);
    renameSync(join(folder, 'b.pdf'), path);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(await file.getChangeMessage()).toContain(texts.changedWhileItWasRead);
  } finally {
    await file.close();
  }
});

test('a file that grows past a gigabyte on its way is not kept, nor any part of it', async () => {
  async function* endless() {
    yield Buffer.from('%PDF-1.4 ');
    // Nothing reads it: its length is enough.
    yield standIn<Uint8Array>({ byteLength: MAX_FILE_BYTES });
  }
  const saving = saveFile(join(folder, 'a.pdf'), endless(), {});
  await expect(saving).rejects.toMatchObject({ code: 'too_large' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a call that is cancelled ends the writing of its file, and leaves nothing', async () => {
  const cancel = new AbortController();
  let given = 0;
  async function* slow() {
    for (; given < 50; given += 1) {
      yield Buffer.from('%PDF-1.4 ');
      if (given === 3) cancel.abort();
    }
  }
  await expect(saveFile(join(folder, 'a.pdf'), slow(), { signal: cancel.signal })).rejects.toThrow();
  expect(given).toBeLessThan(50);
  expect(readdirSync(folder)).toEqual([]);
});

test('a disk that is full is told with its path, and nothing is left of the file', async () => {
  async function* full() {
    yield Buffer.from('%PDF-1.4 ');
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
  }
  const path = join(folder, 'a.pdf');
  const saving = saveFile(path, full(), {});
  await expect(saving).rejects.toMatchObject({ code: 'not_saved', message: expect.stringContaining(path) });
  expect(readdirSync(folder)).toEqual([]);
});

test('content is taken up to four megabytes, to the byte', async () => {
  const files = createFileAccess([folder]);
  const open = (bytes: number) =>
    openUploadSource({ content: Buffer.alloc(bytes, 'a').toString('base64'), name: 'a.txt' }, { files });
  const file = await open(MAX_CONTENT_BYTES);
  expect(file.source).toMatchObject({ size: MAX_CONTENT_BYTES });
  await expect(open(MAX_CONTENT_BYTES + 1)).rejects.toMatchObject({ code: 'too_large' });
});

test.skipIf(process.platform !== 'linux')(
  'a file of another kind than its name says is not held open, nor one that was read',
  async () => {
    const path = join(folder, 'a.pdf');
    const held = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === path;
        } catch {
          return false;
        }
      });
    const open = () => openUploadSource({ path }, { files: createFileAccess([folder]) });
    writeFileSync(path, '<html>sign in</html>');
    await expect(open()).rejects.toBeInstanceOf(ToolError);
    expect(held()).toEqual([]);
    writeFileSync(path, '%PDF-1.4 ');
    const file = await open();
    expect(held()).toHaveLength(1);
    await file.close();
    expect(held()).toEqual([]);
  },
);

describe('a file at an address', () => {
  /** Fetches from a server of this test's own, whatever it answers. */
  async function fetching<Result>(answer: RequestListener, act: (address: string) => Promise<Result>): Promise<Result> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      return await act(`http://127.0.0.1:${port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const isOpen = () => true;

  test.each<[string, string, Record<string, string>, object]>([
    [texts.lastPartPathDecoded, '/a/Q3%20deck.pdf', {}, { name: 'Q3 deck.pdf', type: '' }],
    ['a path that can’t be decoded', '/50%.pdf', {}, { name: '50%.pdf' }],
    ['its answer', '/x', { 'content-disposition': 'attachment; filename="b.pdf"' }, { name: 'b.pdf' }],
    ['nothing', '/', {}, { name: 'document' }],
    ['a type with more behind it', '/a', { 'content-type': 'text/csv; charset=utf-8' }, { type: 'text/csv' }],
    ['a length', '/a', { 'content-length': String(MAX_FILE_BYTES) }, { sizeBytes: MAX_FILE_BYTES }],
  ])('is known by %s', async (_, path, headers, known) => {
    const file = await fetching(
      (_request, response) => void response.writeHead(200, headers).flushHeaders(),
      async (address) => {
        const { close, ...described } = await fetchFile(address + path, { isAllowed: isOpen });
        await close();
        return described;
      },
    );
    expect(file).toMatchObject(known);
  });

  test.each([
    ['small', 10, false, {}],
    ['large, of told length', 2_000_000, true, { sizeBytes: 2_000_000 }],
    ['large, of untold length', 2_000_000, false, { code: 'no_length' }],
  ])('that is %s needs no disk', async (_, bytes, isTold, expected) => {
    const open = (address: string) =>
      openUploadSource(
        { url: `${address}/a.bin` },
        { files: createFileAccess([]), isAllowed: isOpen, usesDisk: false },
      );
    const outcome = await fetching(
      (_request, response) =>
        void response.writeHead(200, isTold ? { 'content-length': bytes } : {}).end(Buffer.alloc(bytes)),
      async (address) => {
        const file = await open(address);
        await file.close();
        return file;
      },
    ).catch((error: unknown) => error);
    expect(outcome).toMatchObject(expected);
  });

  test('that is a byte too long is refused before any of it came', async () => {
    const headers = { 'content-length': String(MAX_FILE_BYTES + 1) };
    const refused = fetching(
      (_request, response) => void response.writeHead(200, headers).flushHeaders(),
      (address) => fetchFile(address, { isAllowed: isOpen }),
    );
    await expect(refused).rejects.toMatchObject({ code: 'too_large' });
  });

  test.each<[string, number, Record<string, string>, string]>([
    ['not there', 404, {}, 'url_failed'],
    ['sent on to nowhere', 302, { location: 'http://' }, 'url_not_allowed'],
    ['sent on without an address', 302, {}, 'url_failed'],
  ])('that is %s is refused', async (_, status, headers, code) => {
    const refused = fetching(
      (_request, response) => void response.writeHead(status, headers).end(),
      (address) => fetchFile(address, { isAllowed: isOpen }),
    );
    await expect(refused).rejects.toMatchObject({ code });
  });

  test('is fetched from where it was sent on to, though the answer that says so never ends', async () => {
    const file = await fetching(
      ({ url }, response) => {
        if (url === '/b.pdf') response.writeHead(200).end('%PDF-1.4 ');
        else response.writeHead(302, { location: '/b.pdf' }).write('Moved to ');
      },
      async (address) => {
        // What would wait ends, in another error.
        const { bytes, name, close } = await fetchFile(address, { isAllowed: isOpen, timeoutMs: 10_000 });
        const parts: Uint8Array[] = [];
        for await (const part of bytes) parts.push(part);
        await close();
        return { name, text: Buffer.concat(parts).toString() };
      },
    );
    expect(file).toEqual({ name: 'b.pdf', text: '%PDF-1.4 ' });
  });

  test('that says nothing in its time is told to be slow, one that nobody waits for is given up', async () => {
    const silent = fetching(
      () => undefined,
      (address) => fetchFile(address, { isAllowed: isOpen, timeoutMs: 20 }),
    );
    await expect(silent).rejects.toThrow(/took too long/);
    const cancel = new AbortController();
    const reason = new Error('the caller has gone');
    const left = fetching(
      () => cancel.abort(reason),
      (address) => fetchFile(address, { isAllowed: isOpen, signal: cancel.signal }),
    );
    await expect(left).rejects.toBe(reason);
  });

  test.each([
    ['says nothing', 'application/octet-stream', undefined],
    ['says what it is', 'text/csv', 'text/csv'],
  ])('whose type %s leaves that to its name, or not', async (_, type, kept) => {
    const file = await fetching(
      (_request, response) => void response.writeHead(200, { 'content-type': type }).end('a,b'),
      async (url) => {
        const opened = await openUploadSource(
          { url, name: 'a.csv' },
          { files: createFileAccess([]), isAllowed: isOpen },
        );
        await opened.close();
        return opened;
      },
    );
    expect(file.type).toBe(kept);
  });

  test('of another kind than its name says is not read on', async () => {
    const reading = fetching(
      (_request, response) => void response.writeHead(200).end('<html>sign in</html>'),
      async (address) => {
        const url = `${address}/a.pdf`;
        const { source, close } = await openUploadSource({ url }, { files: createFileAccess([]), isAllowed: isOpen });
        try {
          if (Symbol.asyncIterator in source) for await (const _part of source);
        } finally {
          await close();
        }
      },
    );
    await expect(reading).rejects.toBeInstanceOf(ToolError);
  });
});

test('an address that sends on without an end is asked six times and no more', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(302, { location: `/${asked}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const fetching = fetchFile(`http://127.0.0.1:${port}/0`, { isAllowed: () => true });
    await expect(fetching).rejects.toMatchObject({ code: 'url_not_allowed' });
    expect(asked).toBe(6);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
