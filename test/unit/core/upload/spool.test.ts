/** A stream that waits on the disk to be uploaded. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { spoolToDisk } from '../../../../src/upload/spool.ts';
import { replaceFileOpen } from '../../../support/replace-file-open.ts';
import { ownTemporaryFolder } from '../../../support/upload-service.ts';

async function* words() {
  yield Buffer.from('half ');
  yield Buffer.from('and half');
}

async function textOf(bytes: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test.skipIf(process.platform === 'win32')(
  'its file has no name while it is read, so that not even a crash leaves it behind',
  async () => {
    const folder = ownTemporaryFolder();
    const spooled = await spoolToDisk(words(), {});
    expect(readdirSync(folder)).toEqual([]);
    expect([spooled.size, await textOf(spooled.stream()), await textOf(spooled.stream())]).toEqual([
      13,
      'half and half',
      'half and half',
    ]);
    await spooled.close();
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('a stream for which no temporary file can be made is a fault of the disk, and is ended unread', async () => {
  vi.stubEnv('TMPDIR', join(ownTemporaryFolder(), 'none'));
  const source = Readable.from(words());
  await expect(spoolToDisk(source, {})).rejects.toMatchObject({
    name: 'FileError',
    code: 'ENOENT',
    message: expect.stringMatching(
      /^The stream could not be written to a temporary file in \/.*\(ENOENT\), so nothing was sent/,
    ),
  });
  expect([source.destroyed, source.readableDidRead]).toEqual([true, false]);
});

test('a disk that takes a part of what is written gets the rest, each byte in its place', async () => {
  ownTemporaryFolder();
  replaceFileOpen((real) => async (...args) => {
    const handle = await real(...args);
    const write = handle.write.bind(handle);
    const some = (bytes: Uint8Array, from: number, length: number, at: number) =>
      write(bytes, from, Math.min(length, 2), at);
    return Object.assign(handle, { write: some });
  });
  const spooled = await spoolToDisk(words(), {});
  expect([spooled.size, await textOf(spooled.stream())]).toEqual([13, 'half and half']);
  await spooled.close();
});

test('a fault of the stream itself is told as it is', async () => {
  const fault = new Error('it broke');
  async function* broken() {
    yield Buffer.from('half ');
    throw fault;
  }
  await expect(spoolToDisk(broken(), {})).rejects.toBe(fault);
});

test.each<[string, (fault: Error) => Parameters<typeof replaceFileOpen>[0]]>([
  ['takes no file', (fault) => () => () => Promise.reject(fault)],
  [
    'is full',
    (fault) =>
      (real) =>
      async (...args) =>
        Object.assign(await real(...args), { write: () => Promise.reject(fault) }),
  ],
])('a disk that %s is told as a fault of the disk, and nothing is left on it', async (_, disk) => {
  const folder = ownTemporaryFolder();
  replaceFileOpen(disk(Object.assign(new Error('no space left'), { code: 'ENOSPC' })));
  await expect(spoolToDisk(words(), {})).rejects.toMatchObject({
    name: 'FileError',
    code: 'ENOSPC',
    message: expect.stringContaining('nothing was sent'),
  });
  expect(readdirSync(folder)).toEqual([]);
});
