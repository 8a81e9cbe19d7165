/** What is opened to be uploaded is given back where it is refused, and read as it is where it is taken. */
import { type FileHandle, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSource } from '../../../../src/upload/file-source.ts';
import { openLocalFile } from '../../../../src/upload/open-local-file.ts';
import { texts } from '../../../core/texts.ts';
import { replaceFileOpen } from '../../../support/replace-file-open.ts';
import { ownTemporaryFolder } from '../../../support/upload-service.ts';

/** Returns the list of files that are opened from now on. */
function watchOpened() {
  const opened: FileHandle[] = [];
  replaceFileOpen((real) => async (...args) => {
    const handle = await real(...args);
    opened.push(handle);
    return handle;
  });
  return opened;
}

test.each([
  ['that is empty', '', {}, texts.theFileIsEmpty2],
  ['of another length than sizeBytes', 'text', { sizeBytes: 5 }, 'The file has 4 bytes, but sizeBytes is 5'],
])('a file %s is rejected and closed', async (_, text, options, message) => {
  const path = join(ownTemporaryFolder(), 'file.txt');
  await writeFile(path, text);
  const opened = watchOpened();
  await expect(openSource(path, options)).rejects.toThrow(message);
  expect(opened.map(({ fd }) => fd)).toEqual([-1]);
});

test('a file that is rejected after it was opened is closed', async () => {
  const path = join(ownTemporaryFolder(), 'file.txt');
  await writeFile(path, 'text');
  const opened = watchOpened();
  await expect(openLocalFile(path, () => Promise.reject(new Error('not this one')))).rejects.toThrow('not this one');
  expect(opened.map(({ fd }) => fd)).toEqual([-1]);
});

test("another maker's web stream is cancelled where nobody reads it on", async () => {
  let isCancelled = false;
  const reader = {
    read: async () => ({ done: false, value: Buffer.from('%PDF') }),
    cancel: async () => {
      isCancelled = true;
    },
  };
  const file = await openSource({ getReader: () => reader }, { sizeBytes: 9 });
  for await (const _ of file.stream()) break;
  expect(isCancelled).toBe(true);
});

/** Bytes that stand in the middle of a larger store, as those of small Buffers do. */
const within = Buffer.from('before %PDF-1.7 behind');
const part = [within.buffer, within.byteOffset + 7, 8] as const;
const textOf = async (bytes: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

test.each<[string, ArrayBufferView]>([
  ['a DataView', new DataView(...part)],
  ['a view of bytes', new Uint8Array(...part)],
  ['a view of clamped bytes', new Uint8ClampedArray(...part)],
])('of %s only its own part is read, from a stream too', async (_, view) => {
  async function* stream() {
    yield view;
  }
  for (const source of [view, stream()]) {
    const file = await openSource(source, { name: 'a.pdf' });
    expect([file.size, await textOf(file.stream())]).toEqual([8, '%PDF-1.7']);
    await file.close();
  }
});

test.each<[string, Error, RegExp]>([
  ['a file that has changed', new DOMException(texts.theBlobCouldNotBe, 'NotReadableError'), /^The file changed/],
  ['anything else', new DOMException('Too late', 'AbortError'), /^Too late$/],
])('a Blob that can not be read because of %s says so in words that help', async (_, fault, said) => {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('%PDF');
    throw fault;
  }
  const file = await openSource({ size: 8, type: 'application/pdf', stream }, {});
  await expect(textOf(file.stream())).rejects.toThrow(said);
});

test.each<[string, { name?: string; type?: string }, string]>([
  ['what is told', { name: 'a.csv', type: 'text/plain' }, 'text/plain'],
  ['the name of the document', { name: 'a.png' }, 'image/png'],
  ["the file's own name, where that has no ending", { name: 'Deck' }, 'text/markdown'],
])('the type of a file is that of %s', async (_, options, type) => {
  const path = join(ownTemporaryFolder(), 'deck.md');
  await writeFile(path, '%PDF-1.7');
  const file = await openSource(path, options);
  await file.close();
  expect(file.type).toBe(type);
});
