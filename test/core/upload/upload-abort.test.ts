import { createReadStream, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { UploadSource } from '../../../src/index.ts';
import { ownTemporaryFolder, startUploadService } from '../../support/upload-service.ts';

const FINALIZE = 'POST /api/v1/documents/uploads/finalize';
const bytes = Buffer.alloc(6 * 1024 * 1024, 'x');
const reason = new Error('enough');

/** Files of a folder that this process still has open, including deleted ones. */
function openFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

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
        await expect.poll(() => openFiles(folder)).toEqual([]);
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
  expect(openFiles(folder)).toEqual([]);
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
