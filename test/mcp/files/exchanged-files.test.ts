/** Files that are swapped, cut off or rejected by the disk while they are read or written. */
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFileAccess, MAX_FILE_BYTES } from '../../../mcp/files/file-access.ts';
import { saveFile } from '../../../mcp/files/save-file.ts';
import { openUploadSource } from '../../../mcp/files/upload-source.ts';
import { closeAfterTest, createFolderForTest } from '../../support/cleanup.ts';
import { createStub } from '../../support/create-stub.ts';
import { ToolError } from '../../support/mcp-parts.ts';
import { texts } from '../texts.ts';

let root: string;
let inside: string;
beforeEach(() => {
  root = createFolderForTest('docshare-exchanged-');
  inside = join(root, 'allowed');
  mkdirSync(join(inside, 'sub'), { recursive: true });
  mkdirSync(join(root, 'elsewhere'));
  writeFileSync(join(inside, 'sub', 'a.pdf'), '%PDF-1.4 mine');
  writeFileSync(join(root, 'elsewhere', 'a.pdf'), '%PDF-1.4 secret');
  symlinkSync(join(root, 'elsewhere'), join(root, 'link'));
});

/** Swaps the folder `sub` with a symbolic link to another folder, as fast as possible. */
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

test.skipIf(process.platform !== 'linux')(
  'no upload reads outside the folder while it is swapped',
  async () => {
    const files = createFileAccess([inside]);
    const flag = new SharedArrayBuffer(4);
    const worker = new Worker(SWAP, { eval: true, workerData: { root, flag } });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const read = new Set<string>();
    for (let attempt = 0; attempt < 1320; attempt++) {
      const file = await openUploadSource({ path: 'sub/a.pdf' }, { files }).catch(() => undefined);
      if (!file) continue;
      const chunks: Uint8Array[] = [];
      const source = 'stream' in file.source ? file.source.stream() : file.source;
      for await (const chunk of source as AsyncIterable<Uint8Array>) chunks.push(chunk);
      read.add(Buffer.concat(chunks).toString());
      await file.close();
    }
    Atomics.store(new Int32Array(flag), 0, 1);
    await ended;
    expect([...read]).toEqual(['%PDF-1.4 mine']);
  },
  60_000,
);

describe('an opened file', () => {
  const verify = async (file: string, asked: string) => {
    const handle = await open(join(root, file));
    const files = createFileAccess([inside], { uploads: 'any' });
    return files.verifyOpened(handle, asked).finally(() => handle.close());
  };

  test('is checked at its real location, whatever its path is, and rejected once it is deleted', async () => {
    writeFileSync(join(inside, '.env'), 'KEY=1');
    await expect(verify('allowed/sub/a.pdf', 'a.pdf')).resolves.toEqual(['sub/a.pdf']);
    await expect(verify('elsewhere/a.pdf', 'a.pdf')).rejects.toThrow('The path is outside the allowed folders');
    await expect(verify('allowed/.env', 'a.pdf')).rejects.toThrow('a.pdf is hidden');
    const handle = await closeAfterTest(open(join(inside, 'sub/a.pdf')));
    rmSync(join(inside, 'sub/a.pdf'));
    const deleted = createFileAccess([inside]).verifyOpened(handle, join(inside, 'sub/a.pdf'));
    await expect(deleted).rejects.toMatchObject({ code: 'path_not_allowed' });
  });

  test.each([
    ['of the same length, written later', '%PDF-1.4 yours', 60],
    ['of another length, written at the same time', '%PDF-1.4 your own', 0],
  ])('counts as changed if its path has another file %s', async (_, text, laterS) => {
    const path = join(inside, 'a.pdf');
    const [time, later] = [1_700_000_000, 1_700_000_000 + laterS];
    writeFileSync(path, '%PDF-1.4 mine.');
    utimesSync(path, time, time);
    const file = await closeAfterTest(openUploadSource({ path }, { files: createFileAccess([inside]) }));
    expect(await file.findChange?.()).toBeUndefined();
    writeFileSync(join(inside, 'b.pdf'), text);
    utimesSync(join(inside, 'b.pdf'), later, later);
    renameSync(join(inside, 'b.pdf'), path);
    expect((await file.findChange?.())?.message).toContain(texts.fileChangedMeanwhile);
  });

  test.skipIf(process.platform !== 'linux')('is closed after it was read, also if its content is wrong', async () => {
    const path = join(inside, 'a.pdf');
    const held = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === path;
        } catch {
          return false;
        }
      });
    const open = () => openUploadSource({ path }, { files: createFileAccess([inside]) });
    writeFileSync(path, '<html>sign in</html>');
    await expect(open()).rejects.toBeInstanceOf(ToolError);
    expect(held()).toEqual([]);
    writeFileSync(path, '%PDF-1.4 ');
    const file = await open();
    expect(held()).toHaveLength(1);
    await file.close();
    expect(held()).toEqual([]);
  });
});

describe('a saved file', () => {
  async function* chunks(count: number, between: (index: number) => void = () => undefined) {
    for (let index = 0; index < count; index++) {
      between(index);
      yield Buffer.alloc(1000, index);
    }
  }

  test('writes nothing outside if its folder was swapped after the check', async () => {
    const files = createFileAccess([inside]);
    const target = await files.resolveNew('sub/new.pdf', 'new.pdf');
    renameSync(join(inside, 'sub'), join(root, 'kept'));
    symlinkSync(join(root, 'elsewhere'), join(inside, 'sub'));
    const saved = saveFile(target, chunks(1), { verifyOpened: files.verifyOpened });
    await expect(saved).rejects.toMatchObject({ code: 'path_not_allowed' });
    expect(readdirSync(join(root, 'elsewhere'))).toEqual(['a.pdf']);
  });

  test('is deleted if its final location turns out to be outside the allowed folders', async () => {
    const path = join(inside, 'a.pdf');
    const places: string[] = [];
    const verifyOpened = async (_: unknown, place: string) => {
      places.push(place);
      if (place === path) throw new ToolError('path_not_allowed', 'It leads out of the allowed folders.');
    };
    await expect(saveFile(path, chunks(1), { verifyOpened })).rejects.toMatchObject({ code: 'path_not_allowed' });
    expect(places).toEqual([expect.stringMatching(/\.part$/), path]);
    expect(readdirSync(inside)).toEqual(['sub']);
  });

  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
  test.each<[string, string, (cancel: AbortController) => AsyncIterable<Uint8Array>, RegExp]>([
    [
      'with a body that fails',
      'a.pdf',
      () =>
        chunks(9, (index) => {
          if (index === 5) throw new Error('cut off');
        }),
      /^cut off$/,
    ],
    [
      'with a cancelled call',
      'a.pdf',
      (cancel) =>
        chunks(50, (index) => {
          if (index === 3) cancel.abort();
          if (index > 40) throw new Error('read on');
        }),
      /abort/i,
    ],
    [
      'on a full disk',
      'a.pdf',
      () =>
        chunks(9, (index) => {
          if (index === 5) throw full;
        }),
      /could not be written to \S+a\.pdf \(ENOSPC\)/,
    ],
    ['with a name that the disk does not accept', `${'n'.repeat(300)}.pdf`, () => chunks(1), /\(ENAMETOOLONG\)/],
    [
      'with more than 1 GiB',
      'a.pdf',
      async function* endless() {
        yield Buffer.from('%PDF-1.4 ');
        // Only its length is read.
        yield createStub<Uint8Array>({ byteLength: MAX_FILE_BYTES });
      },
      /larger than 1 GiB/,
    ],
  ])('%s fails and leaves nothing behind', async (_, name, body, words) => {
    const cancel = new AbortController();
    await expect(saveFile(join(inside, name), body(cancel), { signal: cancel.signal })).rejects.toThrow(words);
    expect(readdirSync(inside)).toEqual(['sub']);
  });

  test('must be a document even if the service chose its name', async () => {
    await expect(createFileAccess([inside]).resolveNew('sub', 'run.sh')).rejects.toThrow(texts.usePathEndsPdf);
    expect(await createFileAccess([inside]).resolveNew('sub', '../NDA.pdf')).toBe(join(inside, 'sub/NDA.pdf'));
  });
});
