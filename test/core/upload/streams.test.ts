import { getEventListeners } from 'node:events';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { type FileHandle, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import type { TransportRequest, UploadSource } from '../../../src/index.ts';
import { failureOf } from '../../support/failure-of.ts';
import { listOpenFiles } from '../../support/open-files.ts';
import { replaceFileOpen } from '../../support/replace-file-open.ts';
import { createUploadClient, PUT, type Reply, readBody } from '../../support/upload-client.ts';
import { ownTemporaryFolder, startUploadService } from '../../support/upload-service.ts';
import { texts } from '../texts.ts';

const direct = { via: 'direct' } as const;

/** An async iterable that counts its reads; `next` yields one byte by default, without end. */
function createSource(next = async () => ({ done: false, value: new Uint8Array(1) }) as IteratorResult<Uint8Array>) {
  const seen = { reads: 0, isEnded: false };
  const source: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        seen.reads += 1;
        return next();
      },
      return: async () => {
        seen.isEnded = true;
        return { done: true, value: undefined };
      },
    }),
  };
  return { source, seen };
}
/** A storage that reads one chunk and rejects the upload. */
async function readOneChunk({ body }: TransportRequest): Promise<Reply> {
  for await (const _ of body as AsyncIterable<Uint8Array>) break;
  return [400];
}
const silent = () => createSource(() => new Promise<never>(() => undefined));

/** Uploads to a storage that records the bytes of each attempt and fails the first one with 503. */
async function uploadTwice(source: UploadSource, sizeBytes?: number) {
  const bodies: string[] = [];
  const { client, requests } = createUploadClient({
    [PUT]: async (request) => {
      bodies.push(String(await readBody(request)));
      return [bodies.length > 1 || sizeBytes ? 200 : 503];
    },
  });
  await client.upload(source, { ...direct, ...(sizeBytes && { sizeBytes }) });
  return {
    bodies,
    lengths: requests.flatMap(({ headers, method }) => (method === 'PUT' ? headers['content-length'] : [])),
  };
}

async function* words() {
  yield Buffer.from('half ');
  yield Buffer.from('and half');
}

describe('a stream that is written to a temporary file', () => {
  test.skipIf(process.platform === 'win32')('has no name while it is read, so a crash leaves nothing', async () => {
    const folder = ownTemporaryFolder();
    const names: string[] = [];
    const { client } = createUploadClient();
    await client.upload(words(), { ...direct, onProgress: () => names.push(...readdirSync(folder)) });
    expect(await uploadTwice(words())).toEqual({ bodies: ['half and half', 'half and half'], lengths: ['13', '13'] });
    expect([names, readdirSync(folder)]).toEqual([[], []]);
  });

  test('arrives completely even if the disk writes two bytes at a time', async () => {
    ownTemporaryFolder();
    replaceFileOpen((real) => async (...args) => {
      const handle = await real(...args);
      const write = handle.write.bind(handle);
      const some = (bytes: Uint8Array, from: number, length: number, at: number) =>
        write(bytes, from, Math.min(length, 2), at);
      return Object.assign(handle, { write: some });
    });
    expect((await uploadTwice(words())).bodies).toEqual(['half and half', 'half and half']);
  });

  test.each<[string, (fault: Error) => Parameters<typeof replaceFileOpen>[0]]>([
    ['cannot create a file', (fault) => () => () => Promise.reject(fault)],
    [
      'is full',
      (fault) =>
        (real) =>
        async (...args) =>
          Object.assign(await real(...args), { write: () => Promise.reject(fault) }),
    ],
  ])('is a FileError if the disk %s, and nothing is left on it', async (_, disk) => {
    const folder = ownTemporaryFolder();
    replaceFileOpen(disk(Object.assign(new Error('no space left'), { code: 'ENOSPC' })));
    await expect(createUploadClient().client.upload(words())).rejects.toMatchObject({
      name: 'FileError',
      code: 'ENOSPC',
      message: expect.stringContaining('nothing was sent'),
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a stream is closed', () => {
  test('after an abort between two reads, and is not read further', async () => {
    const abort = new AbortController();
    const { source, seen } = createSource(async () => {
      queueMicrotask(() => abort.abort('enough'));
      return { done: false, value: new Uint8Array(1) };
    });
    const { client } = createUploadClient();
    expect(await failureOf(client.upload(source, { ...direct, signal: abort.signal }))).toBe('enough');
    expect(seen.isEnded).toBe(true);
    expect(seen.reads).toBeLessThan(5);
  });

  test("if the storage reads only part of it, and the caller's signal keeps no reference to it", async () => {
    const { source, seen } = createSource();
    const { signal } = new AbortController();
    const { client } = createUploadClient({ [PUT]: readOneChunk });
    await failureOf(client.upload(source, { ...direct, sizeBytes: 9, signal }));
    expect(seen).toEqual({ reads: 1, isEnded: true });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test.each([
    [undefined, texts.streamSentBytes20],
    [100, 'The upload made no progress for 20 ms'],
  ])('if it yields nothing for timeoutMs, with a sizeBytes of %s', async (sizeBytes, message) => {
    ownTemporaryFolder();
    const { source, seen } = silent();
    const upload = createUploadClient().client.upload(source, {
      ...direct,
      timeoutMs: 20,
      ...(sizeBytes && { sizeBytes }),
    });
    await expect(upload).rejects.toThrow(message);
    expect(seen.isEnded).toBe(true);
  });

  test('if its web stream is from another library and the storage reads only part of it', async () => {
    const cancel = vi.fn(async () => undefined);
    const reader = { read: async () => ({ done: false, value: Buffer.from('%PDF') }), cancel };
    const { client } = createUploadClient({ [PUT]: readOneChunk });
    await failureOf(client.upload({ getReader: () => reader } as UploadSource, { ...direct, sizeBytes: 9 }));
    expect(cancel).toHaveBeenCalledOnce();
  });
});

test('each read of a stream has timeoutMs, counted from its own start', async () => {
  ownTemporaryFolder();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let reads = 0;
  const { source } = createSource(async () => {
    await vi.advanceTimersByTimeAsync(499);
    return ++reads < 4 ? { done: false, value: new Uint8Array(1) } : { done: true, value: undefined };
  });
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const { client } = createUploadClient({ [PUT]: [[200]] });
  expect(await client.upload(source, { ...direct, timeoutMs: 500 })).toMatchObject({ sizeBytes: 3 });
  expect(timers.mock.calls.map(([, ms]) => ms)).toContain(500);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['empty', 'a.txt', '', {}, texts.theFileIsEmpty2],
  ['of another length than sizeBytes', 'a.txt', 'text', { sizeBytes: 5 }, 'The file has 4 bytes, but sizeBytes is 5'],
  ['not the PDF that its name says', 'a.pdf', '<html>', {}, 'PDF'],
])('a file that is %s is rejected and closed', async (_, name, text, options, message) => {
  const path = join(ownTemporaryFolder(), name);
  await writeFile(path, text);
  const opened: FileHandle[] = [];
  replaceFileOpen((real) => async (...args) => {
    const handle = await real(...args);
    opened.push(handle);
    return handle;
  });
  await expect(createUploadClient().client.upload(path, options)).rejects.toThrow(message);
  expect(opened.map(({ fd }) => fd)).toEqual([-1]);
});

/** A view into a larger buffer, like small Buffers. */
const within = Buffer.from('before %PDF-1.7 behind');
const part = [within.buffer, within.byteOffset + 7, 8] as const;

test.each<[string, ArrayBufferView]>([
  ['a DataView', new DataView(...part)],
  ['a Uint8Array', new Uint8Array(...part)],
])('only the view of %s is sent, not its whole buffer, in a stream too', async (_, view) => {
  ownTemporaryFolder();
  const expected = { bodies: ['%PDF-1.7', '%PDF-1.7'], lengths: ['8', '8'] };
  expect(await uploadTwice(view as UploadSource)).toEqual(expected);
  expect(await uploadTwice(Readable.from([view]))).toEqual(expected);
});

test.each<[string, Error, RegExp]>([
  ['a changed file', new DOMException(texts.theBlobCouldNotBe, 'NotReadableError'), /^The file changed/],
  ['another error', new DOMException('Too late', 'AbortError'), /^upload: Too late/],
])('a Blob that cannot be read because of %s rejects with that reason', async (_, fault, message) => {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('%PDF');
    throw fault;
  }
  const blob = { size: 8, type: 'application/pdf', stream } as unknown as Blob;
  await expect(createUploadClient().client.upload(blob, direct)).rejects.toThrow(message);
});

test.each<[string, { name?: string; type?: string }, string]>([
  ['the option', { name: 'a.csv', type: 'text/plain' }, 'text/plain'],
  ['the name of the document', { name: 'a.png' }, 'image/png'],
  ['the name of the file, if that of the document has no extension', { name: 'Deck' }, 'text/markdown'],
])('the type of a file is taken from %s', async (_, options, type) => {
  const path = join(ownTemporaryFolder(), 'deck.md');
  await writeFile(path, '%PDF-1.7');
  const { client, requests } = createUploadClient();
  await client.upload(path, { ...direct, ...options });
  expect(JSON.parse(String(requests[0]?.body))).toMatchObject({ contentType: type });
});

const FINALIZE = 'POST /api/v1/documents/uploads/finalize';
const bytes = Buffer.alloc(6 * 1024 * 1024, 'x');
const reason = new Error('enough');

test.each(['direct', 'multipart'] as const)(
  'an abort at any time of a %s upload rejects with its reason and leaves no file',
  async (via) => {
    const folder = ownTemporaryFolder();
    const path = join(folder, 'source.bin');
    writeFileSync(path, bytes);
    const sources: (() => UploadSource)[] = [
      () => ({ path }),
      () => Readable.from([bytes.subarray(0, 3_000_000), bytes.subarray(3_000_000)]),
    ];
    for (const source of sources) {
      for (let moment = 0; moment < 14; moment++) {
        const { client, lines } = await startUploadService();
        const abort = new AbortController();
        let seen = 0;
        const timer = setTimeout(() => abort.abort(reason), moment < 7 ? moment * 4 : 2_000);
        const onProgress = () => {
          if (moment >= 7 && ++seen === (moment - 6) * 2) abort.abort(reason);
        };
        const result = await client
          .upload(source(), { via, signal: abort.signal, onProgress })
          .catch((error: unknown) => error);
        clearTimeout(timer);
        if (moment >= 7 || abort.signal.aborted) {
          if (result instanceof Error) expect(result).toBe(reason);
          else expect(lines().at(-1)).toBe(via === 'direct' ? FINALIZE : 'POST /api/v1/documents');
        }
        expect(readdirSync(folder)).toEqual(['source.bin']);
        await expect.poll(() => listOpenFiles(folder)).toEqual([]);
      }
    }
  },
);

test('an upload with an aborted signal sends no request', async () => {
  const { client, log } = await startUploadService();
  await expect(client.upload(bytes, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(log).toEqual([]);
});

test('a source that hangs or fails leaves nothing behind', async () => {
  const folder = ownTemporaryFolder();
  const { client, log } = await startUploadService();
  const hung = new Readable({ read() {} });
  hung.push(bytes.subarray(0, 1000));
  const abort = new AbortController();
  setTimeout(() => abort.abort(reason), 50);
  await expect(client.upload(hung, { signal: abort.signal })).rejects.toBe(reason);
  expect(hung.destroyed).toBe(true);
  async function* broken() {
    yield bytes.subarray(0, 1000);
    throw reason;
  }
  await expect(client.upload(broken())).rejects.toMatchObject({ name: 'DocshareError', cause: reason });
  await expect(client.upload(createReadStream(join(folder, 'missing')))).rejects.toThrow(/ENOENT/);
  expect(readdirSync(folder)).toEqual([]);
  expect(listOpenFiles(folder)).toEqual([]);
  expect(log).toEqual([]);
});

test('an error thrown by onProgress ends the upload and is its cause', async () => {
  const { client, lines } = await startUploadService();
  const onProgress = () => {
    throw reason;
  };
  for (const via of ['direct', 'multipart'] as const)
    await expect(client.upload(bytes, { via, onProgress })).rejects.toMatchObject({
      name: 'DocshareError',
      message: expect.stringContaining('enough'),
      cause: reason,
    });
  expect(lines().filter((line) => line === 'POST /api/v1/documents').length).toBeLessThanOrEqual(1);
  expect(lines()).not.toContain(FINALIZE);
});
