/** A closed client: queued calls are reported as not sent, running ones reject at once with CLIENT_CLOSED and say what remains, and other clients are not affected. */

import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  type Client,
  createClient,
  createLimiter,
  type DisposableClient,
  defineClient,
  NetworkError,
  type Transport,
  type TransportResponse,
} from '../../../src/index.ts';
import { createFolderForTest } from '../../support/cleanup.ts';
import { failureOf } from '../../support/failure-of.ts';
import { ownTemporaryFolder, startUploadService } from '../../support/upload-service.ts';
import { texts } from '../texts.ts';

/** Two clients that share a limiter and a transport. The window outlasts two lines even on a slow machine. */
function openTwo(limiter = createLimiter({ requests: 1, windowMs: 4_000 })) {
  const sent: string[] = [];
  const transport: Transport = async ({ method, url }) => {
    sent.push(`${method} ${new URL(url).pathname}`);
    return { status: 200, headers: {}, body: Readable.from([Buffer.from('{"data":[]}')]) };
  };
  const options = { apiKey: 'key', baseUrl: 'https://docshare.test/api/v1', transport, limiter };
  return { sent, clients: [createClient(options), createClient(options)] as const };
}

const closed = { name: 'NetworkError', code: 'CLIENT_CLOSED' };
const closedWith = (message: string) => expect.objectContaining({ ...closed, message });

test("close() ends queued calls at once as not sent; another client's calls continue", async () => {
  const { sent, clients } = openTwo();
  const [client, other] = clients;
  await client.documents.list();
  const waiting = [
    client.links.list(),
    client.agreements.send({ id: 'a' }, { deadlineMs: 60_000 }),
    client.rooms.list({}, { signal: new AbortController().signal }),
  ].map(failureOf);
  const others = other.contacts.list();
  await client.close();
  expect(await Promise.all(waiting)).toEqual([
    closedWith(texts.linksListSentBecause),
    closedWith(texts.agreementsSendSentBecause),
    closedWith(texts.roomsListSentBecause),
  ]);
  await others;
  expect(sent).toEqual(['GET /api/v1/documents', 'GET /api/v1/contacts']);
});

test('a call after close() is not sent, and close() may be called twice', async () => {
  const { sent, clients } = openTwo();
  const [client] = clients;
  await client.close();
  await client.close();
  expect(await failureOf(client.links.create({ document_id: 'd' }))).toBeInstanceOf(NetworkError);
  expect(sent).toEqual([]);
});

test('a call in the pause before a retry is reported as not sent again', async () => {
  const retried = Promise.withResolvers<unknown>();
  const client = createClient({
    apiKey: 'key',
    baseUrl: 'https://docshare.test/api/v1',
    limiter: createLimiter(),
    transport: async () => ({ status: 503, headers: { 'retry-after': '30' }, body: Readable.from([]) }),
    hooks: { onRetry: retried.resolve },
  });
  const call = failureOf(client.documents.list());
  await retried.promise;
  await client.close();
  expect(await call).toEqual(closedWith(texts.documentsListSentAgain));
});

const openOver = (transport: Transport) =>
  defineClient({ apiKey: 'key', baseUrl: 'https://docshare.test/api/v1', transport, limiter: createLimiter() });
const never = () => new Promise<never>(() => undefined);

/** Closes the client while a call runs, and returns the end of the call. */
async function closeDuring(transport: Transport, start: (client: Client) => PromiseLike<unknown>): Promise<unknown> {
  const client = openOver(transport);
  const call = failureOf(start(client));
  await new Promise(setImmediate);
  await client.close();
  return call;
}

test('close() ends running calls even if the transport ignores its signal', async () => {
  const client = openOver(never);
  const calls = [client.links.list(), client.contacts.create({ email: 'a@example.com' })].map(failureOf);
  await new Promise(setImmediate);
  await client.close();
  expect(await Promise.all(calls)).toEqual([
    expect.objectContaining({ name: 'NetworkError', code: 'CLIENT_CLOSED' }),
    expect.objectContaining({
      name: 'UnknownOutcomeError',
      code: 'CLIENT_CLOSED',
      message: expect.stringContaining(texts.clientClosedBeforeResponse),
    }),
  ]);
});

test('a response that arrives after close() is released', async () => {
  const late = Promise.withResolvers<TransportResponse>();
  await closeDuring(
    () => late.promise,
    (client) => client.links.list(),
  );
  const body = Readable.from([Buffer.from('{}')]);
  late.resolve({ status: 200, headers: {}, body });
  await expect.poll(() => body.destroyed).toBe(true);
});

test('a write whose response is cut off by close() names close() as the cause', async () => {
  const body = { [Symbol.asyncIterator]: () => ({ next: never }) };
  const respond = async () => ({ status: 201, headers: {}, body });
  expect(await closeDuring(respond, (client) => client.links.create({ document_id: 'd' }))).toMatchObject({
    name: 'UnexpectedResponseError',
    code: 'CLIENT_CLOSED',
    message: expect.stringMatching(/the call succeeded.*because the client was closed.*Don't repeat it/),
  });
});

test('a write that the transport reports as unsent does not have an unknown outcome', async () => {
  const unsent = Object.assign(new Error('still connecting'), { unsent: true });
  const respond: Transport = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(unsent)));
  expect(await closeDuring(respond, (client) => client.contacts.create({ email: 'a@x.test' }))).toMatchObject({
    name: 'NetworkError',
    code: 'CLIENT_CLOSED',
    message: expect.stringContaining('nothing was sent'),
  });
});

test('a write whose result is being fetched during close() has succeeded', async () => {
  const moved = { status: 303, headers: { location: '/api/v1/links/l1' }, body: Readable.from([]) };
  const respond: Transport = async ({ method }) => (method === 'POST' ? moved : never());
  expect(await closeDuring(respond, (client) => client.links.create({ document_id: 'd' }))).toMatchObject({
    name: 'UnexpectedResponseError',
    code: 'CLIENT_CLOSED',
    message: expect.stringMatching(/the call succeeded.*was not read, because the client was closed/),
  });
});

type Answer = (seen: unknown, response: ServerResponse) => void;
const hang: Answer = () => undefined;
const wait: Answer = (_, response) => void response.writeHead(503, { 'retry-after': '200' }).end();
const half: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data": [');
};
type Act = (client: DisposableClient) => PromiseLike<unknown>;

/** Returns the error of `act`; its client closes once the service has the request `asked`, which `answer` handles. */
async function closedIn(asked: string, { answer, act }: { answer: Answer; act: Act }) {
  const service = await startUploadService({
    'GET /api/v1/agreements/a/document': () => ({ url: `${service.origin}/storage/1` }),
    [asked]: answer,
  });
  const error = Promise.resolve(act(service.client)).then(String, (thrown: unknown) => thrown);
  await expect.poll(() => service.lines().some((line) => line.replace(/\/\d+$/, '') === asked)).toBe(true);
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
const message = expect.stringContaining('unknown whether');
const inDoubt = { name: 'UnknownOutcomeError', code: 'CLIENT_CLOSED', message };

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
