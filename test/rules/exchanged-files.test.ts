/** Files that are exchanged under the eyes of who reads or writes them. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchFile } from '../../mcp/files/fetch-file.ts';
import { createFileDoor, FILE_LIMIT_BYTES } from '../../mcp/files/file-door.ts';
import { saveFile } from '../../mcp/files/save-file.ts';
import { openUploadSource } from '../../mcp/files/upload-source.ts';
import { ToolError } from '../../mcp/tool-error.ts';
import { standIn } from '../world/stand-in.ts';

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
    if (place === path) throw new ToolError('path_refused', 'It leads out of the allowed folders.');
  };
  await expect(saveFile(path, body(), { opened })).rejects.toMatchObject({ code: 'path_refused' });
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
  const file = await openUploadSource({ path }, { files: createFileDoor([folder]) });
  try {
    expect(await file.changed()).toBeUndefined();
    writeFileSync(join(folder, 'b.pdf'), text);
    utimesSync(join(folder, 'b.pdf'), later, later);
    renameSync(join(folder, 'b.pdf'), path);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(await file.changed()).toContain('changed while it was read');
  } finally {
    await file.close();
  }
});

test('a file that grows past a gigabyte on its way is not kept, nor any part of it', async () => {
  async function* endless() {
    yield Buffer.from('%PDF-1.4 ');
    // Nothing reads it: its length is enough.
    yield standIn<Uint8Array>({ byteLength: FILE_LIMIT_BYTES });
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

test('an address that sends on without an end is asked six times and no more', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(302, { location: `/${asked}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const fetching = fetchFile(`http://127.0.0.1:${port}/0`, { isOpen: () => true });
    await expect(fetching).rejects.toMatchObject({ code: 'url_refused' });
    expect(asked).toBe(6);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
