import { expect, test } from 'vitest';
import { TimeoutError, type TransportRequest, UploadError } from '../../../src/index.ts';
import { failureOf } from '../../support/failure-of.ts';
import {
  createUploadClient,
  FINALIZE,
  PUT,
  type Reply,
  readBody,
  SESSION,
  START,
} from '../../support/upload-client.ts';
import { texts } from '../texts.ts';

const file = new Blob(['%PDF'], { type: 'application/pdf' });
const never = () => new Promise<never>(() => undefined);

const SIGNED = {
  uploadUrl: 'https://store.test/put?sig=abcdefgh',
  headers: { 'Content-Type': 'application/pdf', 'x-amz-server-side-encryption': 'AES256' },
  storageKey: 'key/one/two.pdf',
  token: 'tok_1234567890',
};
/** The error of an upload that the storage rejects, and whether the client tried a new URL. */
async function reject(reply: Reply, session: object = SIGNED) {
  const { client, count } = createUploadClient({ [START]: [[200, session]], [PUT]: [reply] });
  const error = await failureOf(client.upload(file, { via: 'direct' }));
  if (!(error instanceof UploadError)) throw error;
  return { error, message: error.message, isRetried: count(PUT) > 1, count };
}

test('a new URL is tried after a temporary failure, and only then', async () => {
  const retried: number[] = [];
  const silent = Array.from({ length: 200 }, (_, at) => 400 + at).filter(
    (status) => ![404, 405, 413, 415].includes(status),
  );
  for (const status of silent) if ((await reject([status, ''])).isRetried) retried.push(status);
  // The same statuses as for every other repeatable request, and 410: the URL has expired.
  expect(retried).toEqual([408, 410, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529]);
});

test('a pause that the storage requests is part of the error', async () => {
  const { error, isRetried } = await reject([503, 'slow down', { 'retry-after': '7000' }]);
  expect([error.status, error.retryAfterMs, isRetried]).toEqual([503, 7_000_000, false]);
  expect((await reject([400, 'too large'])).message).toMatch(/\(status 400\)\. The storage said: "too large"$/);
  expect((await reject([400, ''])).message).toMatch(/\(status 400\)\.$/);
  expect((await reject([500, 'x'.repeat(400)])).message).toMatch(/: "x{300}…"$/);
});

test.each<[string, string | undefined, boolean]>([
  ['<Code>AccessDenied</Code> missing header x-amz-acl', 'x-amz-acl', false],
  // A header that was not sent comes before one that was.
  ['x-amz-server-side-encryption and x-amz-meta-a', 'x-amz-meta-a', false],
  ['The header content-type must be present', 'content-type', false],
  ['Content-MD5 not sent', 'content-md5', false],
  ['X-Goog-Meta-Owner', 'x-goog-meta-owner', false],
  ['content-type differs', undefined, false],
  ['x-amz-date, x-amz-expires, x-amz-signature, x-amz-credential, x-amz-security-token', undefined, false],
  ['', undefined, false],
  ['Request has expired', undefined, true],
  ['already used', undefined, true],
  ['no longer valid', undefined, true],
])('a 403 with the text %j names the header %s, and a new URL is tried: %s', async (text, header, isExpired) => {
  const { error, message, isRetried } = await reject([403, text]);
  expect([error.status, 'header' in error ? error.header : undefined, isRetried]).toEqual([403, header, isExpired]);
  expect(message).toContain(
    header === undefined
      ? `one-time URL was used before${isExpired ? ' or has expired' : ''}.`
      : `(status 403): the signed header ${header} is missing.`,
  );
  if (text !== '') expect(message).toContain(' The storage said: "');
});

test.each([
  'bad tok_1234567890!',
  'no key/one/two.pdf here',
  'https://store.test/put?sig=abcdefgh is unknown',
  '<p>bad <b>tok_1234567890</b></p>',
  '<p>bad &#116;ok_1234567890</p>',
  'bad tok_1234567890<br>tok_1234567890',
])('the secrets of a session are redacted in %j', async (text) => {
  for (const status of [400, 403, 500]) {
    const { message } = await reject([status, text]);
    expect(message).toMatch(/The storage said.*\[redacted\]/);
    expect(message).not.toMatch(/tok_1|key\/one|abcdefgh/);
  }
});

test('a token shorter than eight characters looks like plain text and is not redacted', async () => {
  const words = async (token: string, text: string) => (await reject([400, text], { ...SIGNED, token })).message;
  expect(await words('head', 'the header is bad')).toContain('"the header is bad"');
  expect(await words('eight888', 'bad eight888')).toContain('bad [redacted]');
});

test('the signature and token of a URL are redacted, even without the rest of the URL', async () => {
  const signature = '5d672d79c15b13162d9279b0855cfba6789a8edb';
  const token = 'IQoJb3JpZ2luX2VjEAAaCXVzLWVhc3Q+/TOKEN==';
  const query = new URLSearchParams({
    'X-Amz-Security-Token': token,
    'X-Amz-Signature': signature,
    'X-Amz-Date': '20261124T000000Z',
  });
  const quotes = [
    signature,
    token,
    token.replaceAll('+', ' '),
    encodeURIComponent(token),
    encodeURIComponent(`/put?${query}`),
  ];
  for (const search of [`${query}`, `token=${token}&s=${signature}`])
    for (const quote of quotes) {
      const text = `<Code>SignatureDoesNotMatch</Code><SignatureProvided>${quote}</SignatureProvided>`;
      const { message } = await reject([403, text], { ...SIGNED, uploadUrl: `https://store.test/put?${search}` });
      expect(message).toContain('SignatureDoesNotMatch');
      expect(message).not.toMatch(/5d672d79|TOKEN/);
    }
});

test('the storage gets the signed headers and the length of the file, whatever headers the service lists', async () => {
  const headers = { 'Content-Length': '999', 'Content-Type': 'text/plain', 'x-signed': 'yes' };
  const { client, requests } = createUploadClient({ [START]: [[200, { ...SESSION, headers }]] });
  await client.upload(new Blob(['small']), { via: 'direct' });
  expect(requests.find(({ method }) => method === 'PUT')?.headers).toEqual({
    'content-length': '5',
    'content-type': 'text/plain',
    'x-signed': 'yes',
  });
});

test('an upload follows at most three redirects', async () => {
  const { client, count } = createUploadClient({ [PUT]: [[307, '', { location: SESSION.uploadUrl }]] });
  await expect(client.upload(file, { via: 'direct', retries: 0 })).rejects.toThrow(UploadError);
  expect(count(PUT)).toBe(4);
});

test.each([
  ['hangs', never],
  ['breaks off', () => Promise.reject(new Error('reset'))],
])('stored bytes are registered even if the response of the storage %s', async (_, next) => {
  const { client, routes } = createUploadClient({
    [PUT]: async (request) => {
      await readBody(request);
      return [200, { [Symbol.asyncIterator]: () => ({ next }) }];
    },
  });
  const done = await client.upload(file, { via: 'direct', timeoutMs: 200 });
  expect([done.id, routes]).toEqual(['d', [START, PUT, FINALIZE]]);
});

const failing = (code: string, before: (request: TransportRequest) => Promise<unknown> = async () => undefined) => ({
  [PUT]: async (request: TransportRequest) => {
    await before(request);
    throw Object.assign(new Error('no'), { code });
  },
});

test.each([
  ['UND_ERR_INVALID_ARG', texts.requiresHeadersThatCanNot, 1],
  ['ECONNREFUSED', texts.couldNotBeReached, 2],
])('a storage that fails with %s %s, after %i requests', async (code, words, times) => {
  const { client, count } = createUploadClient(failing(code));
  await expect(client.upload(file, { via: 'direct' })).rejects.toThrow(`The storage ${words} (${code})`);
  expect(count(PUT)).toBe(times);
});

// A storage that rejects may close the connection before its response is read, so the next attempt starts soon.
test.each([
  ['EPIPE', 'a part', 50],
  ['ECONNRESET', 'a part', 50],
  ['ECONNRESET', 'all', 0],
  ['ETIMEDOUT', 'a part', 0],
])('after %s with %s of the bytes sent, the next attempt starts in %i ms', async (code, sent, waitMs) => {
  const waits: number[] = [];
  const take = async (request: TransportRequest) => {
    if (sent === 'all') await readBody(request);
    else for await (const _ of request.body as AsyncIterable<Uint8Array>) break;
  };
  const hooks = { onRetry: (retry: { waitMs: number }) => void waits.push(retry.waitMs) };
  const { client } = createUploadClient(failing(code, take), { hooks });
  await expect(client.upload(new Blob([Buffer.alloc(300_000)]), { via: 'direct' })).rejects.toThrow(code);
  expect(waits).toEqual([waitMs]);
});

test("an aborted upload rejects with the caller's reason, whatever the stream does", async () => {
  const control = new AbortController();
  async function* stream() {
    yield Buffer.from('%PDF');
    control.abort('enough');
    throw new Error('the stream was ended');
  }
  const { client } = createUploadClient({ [PUT]: (request) => readBody(request).then(never) });
  await expect(client.upload(stream(), { via: 'direct', sizeBytes: 9, signal: control.signal })).rejects.toBe('enough');
});

test("an upload whose storage never responds ends with the client's lifetime", async () => {
  const { client, routes } = createUploadClient({ [PUT]: never }, { lifetimeMs: 500 });
  await expect(client.upload(file, { via: 'direct' })).rejects.toThrow(TimeoutError);
  expect(routes).toEqual([START, PUT]);
});

test.each([
  ['multipart', 1],
  ['direct', 2],
] as const)('onResponse is called for each response of the service to a %s upload', async (via, heads) => {
  const seen: number[] = [];
  const { client } = createUploadClient({ 'POST /documents': [[200, { id: 'd' }]], [PUT]: [[201]] });
  await client.upload(file, { via, onResponse: ({ status }) => void seen.push(status) });
  expect(seen).toEqual(Array.from({ length: heads }, () => 200));
});

test('a download follows at most four redirects', async () => {
  const url = 'https://store.test/file';
  const { client, count } = createUploadClient({
    'GET /agreements/a/document': [[200, { url }, { 'content-type': 'application/json' }]],
    'GET /file': [[302, '', { location: url }]],
  });
  await expect((await client.agreements.document({ id: 'a' })).open()).rejects.toThrow('redirects');
  expect(count('GET /file')).toBe(5);
});
