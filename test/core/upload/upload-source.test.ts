import { execFileSync } from 'node:child_process';
import { createReadStream, openAsBlob, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { InputError, type UploadSource } from '../../../src/index.ts';
import { ownTemporaryFolder, startUploadService } from '../../support/upload-service.ts';
import { texts } from '../texts.ts';

const bytes = Buffer.from(`%PDF-1.7 ${'0123456789'.repeat(60_000)}`);
const buffer = () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);

async function* chunked(size = 50_000) {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

/** A web stream from another library: only a reader. */
function bareWebStream() {
  const stream = new Blob([bytes]).stream();
  return { locked: false, getReader: () => stream.getReader() };
}

const SOURCES: [string, (path: string) => unknown][] = [
  ['a path', (path) => path],
  ['{ path }', (path) => ({ path })],
  ['a file: URL', (path) => pathToFileURL(path)],
  ['a Buffer', () => bytes],
  ['an ArrayBuffer', buffer],
  ['a DataView', () => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
  ['a Blob', () => new Blob([bytes])],
  ['a File', () => new File([bytes], 'file.pdf')],
  ['a Blob of another library', () => ({ size: bytes.byteLength, type: '', stream: () => new Blob([bytes]).stream() })],
  ['a file as a Blob', (path) => openAsBlob(path)],
  ['a web stream', () => new Blob([bytes]).stream()],
  ['a web stream from another library', bareWebStream],
  ["Node's stream", (path) => createReadStream(path)],
  ['a stream of strings', () => Readable.from([bytes.toString()])],
  ['an async iterable', () => chunked()],
];

async function writeSample() {
  const path = join(ownTemporaryFolder(), 'file é#1.pdf');
  await writeFile(path, bytes);
  return path;
}

test.each(SOURCES)('%s is sent completely by both methods and leaves nothing behind', async (_, make) => {
  const path = await writeSample();
  const { client, log } = await startUploadService();
  const left = ownTemporaryFolder();
  await client.upload((await make(path)) as UploadSource, { via: 'direct' });
  await client.upload((await make(path)) as UploadSource, { via: 'multipart' });
  const put = log.find(({ line }) => line.startsWith('PUT'));
  expect(put?.body.equals(bytes)).toBe(true);
  expect(put?.headers['content-length']).toBe(String(bytes.byteLength));
  expect(log.at(-1)?.body.includes(bytes)).toBe(true);
  expect(readdirSync(left)).toEqual([]);
});

test.each([
  ['a web stream', () => new Blob([bytes]).stream()],
  ['an async iterable', () => chunked()],
])('%s of known length is streamed without a temporary file', async (_, make) => {
  const { client, log } = await startUploadService();
  const left = ownTemporaryFolder();
  let found = 0;
  const onProgress = () => {
    found += readdirSync(left).length;
  };
  await client.upload(make(), { via: 'direct', sizeBytes: bytes.byteLength, onProgress });
  expect(log.find(({ line }) => line.startsWith('PUT'))?.body.equals(bytes)).toBe(true);
  expect(found).toBe(0);
});

test('a PDF is recognized by its first 1,024 bytes, without reading more', async () => {
  const chunks = ['x'.repeat(512), '%PDF-'.padEnd(512), 'y'.repeat(512), 'z'.repeat(512)].map((text) =>
    Buffer.from(text),
  );
  const read: number[] = [];
  async function* stream() {
    read.push(0);
    for (const chunk of chunks) {
      read[read.length - 1] = (read.at(-1) ?? 0) + 1;
      yield chunk;
    }
  }
  const { client } = await startUploadService();
  await client.upload({ size: 2048, name: 'a.pdf', stream }, { via: 'multipart' });
  expect(read).toEqual([2, 4]);
});

test('a stream of known length whose upload fails is not sent again', async () => {
  const service = await startUploadService({ 'PUT /storage': (_, response) => response.writeHead(503).end('busy') });
  const upload = service.client.upload(chunked(), { via: 'direct', sizeBytes: bytes.byteLength });
  await expect(upload).rejects.toMatchObject({ name: 'UploadError', status: 503 });
  expect(service.lines().filter((line) => line.startsWith('PUT'))).toHaveLength(1);
});

test.each([
  ['longer', 1000, /The stream has more bytes/],
  ['shorter', bytes.byteLength + 1, /The stream has 600009 bytes/],
])('a stream that is %s than its length is rejected', async (_, sizeBytes, message) => {
  const { client, lines } = await startUploadService();
  await expect(client.upload(chunked(), { via: 'direct', sizeBytes })).rejects.toThrow(message);
  expect(lines()).not.toContain('POST /api/v1/documents/uploads/finalize');
});

test('a stream that is never read is closed', async () => {
  const { client } = await startUploadService({
    'POST /api/v1/documents/uploads': (_, response) => response.writeHead(401).end('no'),
  });
  const stream = Readable.from(chunked());
  await expect(client.upload(stream, { via: 'direct', sizeBytes: 9 })).rejects.toThrow();
  expect(stream.destroyed).toBe(true);
});

async function readToEnd() {
  const stream = Readable.from(chunked());
  for await (const _ of stream);
  return stream;
}

function locked() {
  const stream = new Blob([bytes]).stream();
  stream.getReader();
  return stream;
}

test.each<[string, unknown, RegExp]>([
  ['a missing file', { path: '/no/such/file.pdf' }, /The file \S+ does not exist/],
  ['a folder', tmpdir(), /is a folder, not a file/],
  ['a device', '/dev/null', /is a device, not a file/],
  ['an empty path', { path: '' }, /path of the file is empty/],
  ['a path with a null byte', 'a\0b', /can't be read/],
  ['a web URL', new URL('https://example.com/a.pdf'), /URLs can be uploaded/],
  ['a file on another machine', 'file://elsewhere/a.pdf', /URLs can be uploaded/],
  ['empty bytes', new Uint8Array(), /is empty/],
  ['an empty stream', new Blob([]).stream(), /is empty/],
  [texts.aStreamThatWasRead, await readToEnd(), /The stream was already read/],
  ['a stream that is being read', locked(), /The stream was already read/],
  ['a stream of numbers', Readable.from([1, 2]), /The stream must contain bytes/],
  ['nothing', undefined, /must be a path/],
  ['an object', { file: 'a' }, /must be a path/],
])('a source that is %s is rejected before any request', async (_, source, message) => {
  const { client, log } = await startUploadService();
  const folder = ownTemporaryFolder();
  const failure: unknown = await client.upload(source as UploadSource).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InputError);
  expect(String(failure)).toMatch(message);
  expect(log).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(process.platform === 'win32')('pipes are rejected by name, without a wait', async () => {
  const { client } = await startUploadService();
  const folder = ownTemporaryFolder();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await expect(client.upload(join(folder, 'pipe'))).rejects.toThrow(/is a pipe, not a file/);
});

test.each([
  [{ documentId: '' }, 'documentId must be'],
  [{ via: 'pigeon' as never }, 'via must be'],
])('the options %j are rejected before any request', async (options, message) => {
  const { client, log } = await startUploadService();
  const failure: unknown = await client.upload(bytes, options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InputError);
  expect(String(failure)).toContain(message);
  expect(log).toEqual([]);
});

test('finalizing nothing is rejected with an InputError', async () => {
  const { client, log } = await startUploadService();
  for (const nothing of [undefined, null, 'k'])
    await expect(client.finalizeUpload(nothing as never)).rejects.toThrow(InputError);
  expect(log).toEqual([]);
});

test.each([[-1], [1.5], [Number.NaN], [bytes.byteLength + 1]])('sizeBytes %d does not match it', async (sizeBytes) => {
  const { client, log } = await startUploadService();
  await expect(client.upload(bytes, { sizeBytes })).rejects.toThrow(InputError);
  expect(log).toEqual([]);
});
