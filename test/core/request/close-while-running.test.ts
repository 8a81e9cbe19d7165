/** Closing a client while requests are running: each rejects at once with CLIENT_CLOSED and says what remains. */
import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { DisposableClient } from '../../../src/index.ts';
import { createFolderForTest } from '../../support/cleanup.ts';
import { ownTemporaryFolder, startUploadService } from '../../support/upload-service.ts';
import { texts } from '../texts.ts';

type Answer = (seen: unknown, response: ServerResponse) => void;
const hang: Answer = () => undefined;
const wait: Answer = (_, response) => void response.writeHead(503, { 'retry-after': '200' }).end();
const half: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data": [');
};
type Act = (client: DisposableClient) => PromiseLike<unknown>;

/**
 * Returns the error of `act`. Its client is closed as soon as the service has received the request `asked`, which
 * `answer` handles.
 */
async function closedIn(asked: string, { answer, act }: { answer: Answer; act: Act }) {
  const service = await startUploadService({
    'GET /api/v1/agreements/a/document': () => ({ url: `${service.origin}/storage/1` }),
    [asked]: answer,
  });
  const error = Promise.resolve(act(service.client)).then(String, (thrown: unknown) => thrown);
  const isAsked = () => service.lines().some((line) => line.replace(/\/\d+$/, '') === asked);
  await expect.poll(isAsked).toBe(true);
  await service.client.close();
  return error;
}

const bytes = Buffer.from('%PDF-1.7');
const send = (via: 'multipart' | 'direct') => (client: DisposableClient) =>
  client.upload(bytes, { name: 'a.pdf', via });
const open = async (client: DisposableClient) => {
  const { bytes } = await (await client.agreements.document({ id: 'a' })).open();
  for await (const _ of bytes);
};
const closed = { name: 'NetworkError', code: 'CLIENT_CLOSED' };
const inDoubt = {
  name: 'UnknownOutcomeError',
  code: 'CLIENT_CLOSED',
  message: expect.stringContaining('unknown whether'),
};

test.each<[string, string, Answer, Act, object]>([
  ['a read without a response', 'GET /api/v1/documents', hang, (client) => client.documents.list(), closed],
  ['a write', 'POST /api/v1/links', hang, (client) => client.links.create({ document_id: 'd' }), inDoubt],
  ['an upload', 'POST /api/v1/documents', hang, send('multipart'), inDoubt],
  ['an upload to its storage', 'PUT /storage', hang, send('direct'), closed],
  ['the finalize call of an upload', 'POST /api/v1/documents/uploads/finalize', hang, send('direct'), inDoubt],
  ['a download from its storage', 'GET /storage', hang, open, closed],
  ['a download that waits for its storage', 'GET /storage', wait, open, closed],
])('%s ends with CLIENT_CLOSED', async (_, asked, answer, act, error) => {
  expect(await closedIn(asked, { answer, act })).toMatchObject(error);
});

test('an upload that close() leaves unregistered carries what finalizeUpload needs', async () => {
  const service = await startUploadService({ 'POST /api/v1/documents/uploads/finalize': wait });
  const error = service.client
    .upload(bytes, { name: 'a.pdf', via: 'direct', retries: 1, onPending: () => void service.client.close() })
    .catch((thrown: unknown) => thrown);
  expect(await error).toMatchObject({
    name: 'UploadError',
    code: 'CLIENT_CLOSED',
    pending: { storageKey: 'uploads/file-1' },
  });
});

/** A stream that yields this many chunks and then hangs. */
function streamOf(chunks: number) {
  const seen = { given: 0, ended: false };
  const next = () =>
    seen.given++ < chunks ? Promise.resolve({ done: false, value: bytes }) : new Promise<never>(() => undefined);
  const end = async () => {
    seen.ended = true;
    return { done: true, value: undefined };
  };
  return { seen, source: { [Symbol.asyncIterator]: () => ({ next, return: end }) } as AsyncIterable<Uint8Array> };
}

test('close() ends a stream that is still being read, and deletes its temporary file', async () => {
  const folder = ownTemporaryFolder();
  const { client, log } = await startUploadService();
  const { seen, source } = streamOf(3);
  const error = client.upload(source).catch((thrown: unknown) => thrown);
  await expect.poll(() => seen.given).toBeGreaterThan(3);
  await client.close();
  expect(await error).toMatchObject({ ...closed, message: texts.uploadNothingSentBecause });
  expect([seen.ended, readdirSync(folder), log]).toEqual([true, [], []]);
});

test('close() ends a stream that is sent without a temporary file', async () => {
  const { client, lines } = await startUploadService();
  const { seen, source } = streamOf(1);
  const error = client.upload(source, { sizeBytes: 100, via: 'direct' }).catch((thrown: unknown) => thrown);
  await expect.poll(lines).toContain('PUT /storage/1');
  await client.close();
  expect(await error).toMatchObject(closed);
  expect(seen.ended).toBe(true);
});

test('a half-saved download is not requested again and leaves no file', async () => {
  const folder = createFolderForTest('docshare-close-');
  const act = async (client: DisposableClient) => (await client.agreements.document({ id: 'a' })).saveTo(folder);
  expect(await closedIn('GET /storage', { answer: half, act })).toMatchObject(closed);
  expect(readdirSync(folder)).toEqual([]);
});
