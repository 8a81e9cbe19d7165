import { readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { TimeoutError, UnknownOutcomeError, UploadError } from '../../../src/index.ts';
import { jsonOf, KEY, ownTemporaryFolder, startUploadService } from '../../support/upload-service.ts';
import { texts } from '../texts.ts';

const FINALIZE = 'POST /api/v1/documents/uploads/finalize';
const CREATE = 'POST /api/v1/documents';
const bytes = Buffer.alloc(300_000, 'x');

function isOpen(path: string): boolean {
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
    } catch {
      return false;
    }
  });
}

test('a dropped PUT starts a new session and finally rejects with an UploadError without secrets', async () => {
  const service = await startUploadService({ 'PUT /storage': (seen, response) => service.drop(seen, response) });
  const error: unknown = await service.client.upload(bytes, { via: 'direct' }).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(UploadError);
  expect(service.lines().filter((line) => line.startsWith('PUT'))).toHaveLength(4);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(
    new RegExp(`${KEY}|presigned-secret|upload-token`),
  );
});

test('a 403 of the storage during the upload rejects with the name of the missing header', async () => {
  const path = join(ownTemporaryFolder(), 'large.bin');
  writeFileSync(path, '');
  truncateSync(path, 512 * 1024 * 1024);
  const xml = '<Error><Message>Missing signed header</Message><Header>x-amz-meta-owner</Header></Error>';
  const head = { connection: 'close', 'content-type': 'application/xml' };
  const service = await startUploadService(
    { 'PUT /storage': (_, response) => response.writeHead(403, head).end(xml) },
    { early: 'PUT /storage' },
  );
  const error: unknown = await service.client.upload({ path }).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(UploadError);
  expect(error).toMatchObject({
    status: 403,
    header: 'x-amz-meta-owner',
    message: expect.stringContaining('the signed header x-amz-meta-owner is missing'),
  });
  expect(service.lines()).not.toContain(FINALIZE);
  await expect.poll(() => isOpen(path)).toBe(false);
});

test.each<[string, (path: string) => void]>([
  ['shrunk', (path) => truncateSync(path, 1_000_000)],
  ['changed', (path) => writeFileSync(path, Buffer.alloc(2_000_000, 'y'))],
])('a file that is %s while it is read is never registered', async (_, change) => {
  const path = join(ownTemporaryFolder(), 'a.bin');
  for (const via of ['direct', 'multipart'] as const) {
    const service = await startUploadService();
    writeFileSync(path, Buffer.alloc(2_000_000, 'x'));
    await sleep(20);
    let once = () => change(path);
    const onProgress = () => {
      once();
      once = () => undefined;
    };
    await expect(service.client.upload({ path }, { via, onProgress })).rejects.toThrow(texts.fileChangedWhileRead);
    expect(service.lines()).not.toContain(FINALIZE);
    expect(service.log.every(({ body }) => body.byteLength < 2_000_000)).toBe(true);
  }
});

test('an upload that finalize rejects can be finalized later', async () => {
  let refuses = true;
  const { client, log } = await startUploadService({
    [FINALIZE]: (_, response) => (refuses ? response.writeHead(503).end('busy') : { id: 'doc_late' }),
  });
  const error: unknown = await client.upload(bytes, { documentId: 'doc_7' }).catch((one: unknown) => one);
  if (!(error instanceof UploadError) || !error.pending) throw error;
  const wire = { storageKey: 'uploads/file-1', token: 'upload-token-1', documentId: 'doc_7' };
  const file = { name: 'document', sizeBytes: bytes.byteLength };
  expect(error.pending).toEqual({ ...wire, ...file });
  expect(log.find(({ line }) => line.endsWith('/uploads'))?.body.toString()).toContain('"documentId":"doc_7"');
  expect(JSON.stringify(error) + inspect(error, { depth: 9 })).not.toContain('upload-token');
  refuses = false;
  expect(await client.finalizeUpload(error.pending)).toMatchObject({ id: 'doc_7', ...file, via: 'direct' });
  expect(jsonOf(log.at(-1))).toEqual(wire);
});

test('a dropped registration is not sent again', async () => {
  const service = await startUploadService({ [FINALIZE]: (seen, response) => service.drop(seen, response) });
  const error: unknown = await service.client.upload(bytes, { via: 'direct' }).catch((one: unknown) => one);
  expect(service.lines().filter((line) => line === FINALIZE)).toHaveLength(1);
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(error).toMatchObject({
    message: expect.stringContaining('List the documents'),
    pending: { storageKey: 'uploads/file-1' },
  });
});

test('a storage that accepts no bytes times out, a slow one does not', async () => {
  const silent = await startUploadService(
    { 'PUT /storage': () => undefined },
    { early: 'PUT /storage', retry: { retries: 0 } },
  );
  const large = new Blob([Buffer.alloc(32 * 1024 * 1024)]);
  await expect(silent.client.upload(large, { timeoutMs: 300 })).rejects.toThrow(TimeoutError);
  const slow = await startUploadService(
    {
      'PUT /storage': async (_, response, request) => {
        let seen = 0;
        for await (const chunk of request) {
          seen += chunk.length;
          if (seen % 4_000_000 < chunk.length) await sleep(100);
        }
        response.writeHead(200).end();
      },
    },
    { early: 'PUT /storage' },
  );
  // Much more than the system buffers; in total longer than the timeout, which is as long as twenty pauses.
  const larger = new Blob(Array(3).fill(await large.arrayBuffer()));
  expect((await slow.client.upload(larger, { timeoutMs: 2000 })).id).toBe('doc_direct');
});

test('a multipart upload without a response has an unknown outcome', async () => {
  const { client, lines } = await startUploadService({ [CREATE]: () => undefined });
  await expect(client.upload(bytes, { timeoutMs: 1000 })).rejects.toThrow(UnknownOutcomeError);
  expect(lines()).toEqual([CREATE]);
});

test('the deadline ends an upload as a whole', async () => {
  const { client } = await startUploadService(
    { 'PUT /storage': (_, response) => response.writeHead(503).end() },
    { retry: { baseDelayMs: 60_000 } },
  );
  await expect(client.upload(bytes, { via: 'direct', deadlineMs: 300 })).rejects.toThrow(/deadline of 300 ms/);
});
