import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLimiter, defineClient, NetworkError, type SaveOptions, TimeoutError } from '../../../src/index.ts';
import { replaceFileOpen } from '../../support/replace-file-open.ts';
import { ownTemporaryFolder } from '../../support/upload-service.ts';
import { texts } from '../texts.ts';

const CUT = new NetworkError('cut');
const MODIFIED = 'Thu, 01 Jan 2026 00:00:00 GMT';
const V1 = { etag: '"v1"', 'content-length': '10' };
const LONG_AGO = { 'last-modified': MODIFIED, date: 'Fri, 02 Jan 2026 00:00:00 GMT' };
const rest = (range: string, more: object = {}) => ({ status: 206, 'content-range': range, ...more });

/** A response: its headers, with a status other than 200, and its body, which an error may interrupt. */
type StorageResponse = readonly [head: object, ...body: (string | Error)[]];
type Head = { readonly status?: number; readonly fails?: string };

interface Service extends SaveOptions {
  readonly baseDelayMs?: number;
  /** The service returns the file itself instead of a download URL. */
  readonly withoutUrl?: boolean;
  /** Saves into this folder, under the name that the storage sends. */
  readonly folder?: string;
}

/** Saves a file whose storage returns these responses in order. `requested` returns the requests after the first one. */
async function open(
  answers: readonly StorageResponse[],
  { baseDelayMs = 0, withoutUrl, folder, ...options }: Service = {},
) {
  const path = folder ?? join(ownTemporaryFolder(), 'a.pdf');
  const requested: string[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const waiting = [...answers];
  const next = () => {
    const [{ status = 200, fails: code, ...headers }, ...body] = waiting.shift() as [Head, ...(string | Error)[]];
    if (code !== undefined) throw Object.assign(new Error('no'), { code });
    async function* read() {
      for (const part of body) {
        if (typeof part !== 'string') throw part;
        yield Buffer.from(part);
      }
    }
    const type = { 'content-type': 'application/octet-stream' };
    return { status, headers: { ...type, ...(headers as Record<string, string>) }, body: read() };
  };
  const client = defineClient({
    apiKey: 'key',
    baseUrl: 'https://docs.test/api/v1',
    limiter: createLimiter({ requests: 10_000 }),
    retry: { retries: 2, baseDelayMs, maxDelayMs: 100_000 },
    transport: async ({ url, headers, signal }) => {
      if (url.startsWith('https://docs.test/')) {
        if (withoutUrl) return next();
        const body = (async function* () {
          yield Buffer.from('{"url":"https://store.test/1?sig=s"}');
        })();
        return { status: 200, headers: { 'content-type': 'application/json' }, body };
      }
      const { range = 'whole', 'if-range': proof } = headers;
      signals.push(signal);
      requested.push(proof === undefined ? range : `${range} if ${proof}`);
      return next();
    },
  });
  const file = await client.agreements.document({ id: 'a' });
  const done = file.saveTo(path, options);
  const text = () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  return { client, done, path, text, signals, requested: () => requested.slice(1) };
}

/** The requests after each interruption, and the final text of the file. */
async function saved(answers: readonly StorageResponse[], more: Service = {}) {
  const { done, requested, text } = await open(answers, more);
  const { sizeBytes } = await done;
  expect(sizeBytes).toBe(text()?.length);
  return [...requested(), text()];
}

test.each<[string, object, object]>([
  ['by its range and its ETag', V1, rest('bytes 4-9/10', { etag: '"v1"' })],
  ['without an ETag, because If-Range named it', V1, rest('bytes 4-9/10')],
  ['if the storage does not know the size', V1, rest('bytes 4-9/*')],
  ['if only the rest gives the size', { etag: '"v1"' }, rest('bytes 4-9/10')],
  ['with another Last-Modified, if the ETag is the validator', V1, rest('bytes 4-9/10', LONG_AGO)],
  ['by a Last-Modified long ago', LONG_AGO, rest('bytes 4-9/10', { 'last-modified': MODIFIED })],
  [
    'by a Last-Modified a minute before the response',
    { ...LONG_AGO, date: 'Thu, 01 Jan 2026 00:01:00 GMT' },
    rest('bytes 4-9/10'),
  ],
])('the rest belongs to the same file %s', async (_, first, second) => {
  const proof = 'etag' in first ? '"v1"' : MODIFIED;
  expect(
    await saved([
      [first, 'abcd', CUT],
      [second, 'efghij'],
    ]),
  ).toEqual([`bytes=4- if ${proof}`, 'abcdefghij']);
});

test('the type of a rest does not change the kind of the file', async () => {
  const start = 'a'.repeat(512);
  const answers: StorageResponse[] = [
    [{ etag: '"v1"', 'content-length': '514' }, start, CUT],
    [rest('bytes 512-513/514', { 'content-type': 'text/html' }), 'bc'],
  ];
  expect(await saved(answers)).toEqual(['bytes=512- if "v1"', `${start}bc`]);
});

describe('two versions never end up in one file: the client requests the whole file after', () => {
  test.each<[string, object, object]>([
    ['a rest with another ETag', V1, rest('bytes 4-9/10', { etag: '"v2"' })],
    ['a rest with a newer Last-Modified', LONG_AGO, rest('bytes 4-9/10', { 'last-modified': LONG_AGO.date })],
    ['a rest of another range', V1, rest('bytes 3-9/10')],
    ['a rest of a longer file', V1, rest('bytes 4-10/11')],
    ['a rest without Content-Range', V1, { status: 206 }],
    ['a rest with a content encoding', V1, rest('bytes 4-9/10', { 'content-encoding': 'gzip' })],
    ['a range that is not available', V1, { status: 416, 'content-range': 'bytes */2' }],
  ])('%s', async (_, first, second) => {
    const answers: StorageResponse[] = [
      [first, 'abcd', CUT],
      [second, 'EFGHIJ'],
      [{ 'content-length': '3' }, 'new'],
    ];
    const proof = 'etag' in first ? '"v1"' : MODIFIED;
    expect(await saved(answers)).toEqual([`bytes=4- if ${proof}`, 'whole', 'new']);
  });

  test('a whole file instead of a rest replaces the file, and its own validator counts from then on', async () => {
    const answers: StorageResponse[] = [
      [V1, 'abcd', CUT],
      [{ etag: '"v2"' }, 'ABCDEF', CUT],
      [rest('bytes 6-11/12'), 'GHIJKL'],
    ];
    expect(await saved(answers)).toEqual(['bytes=4- if "v1"', 'bytes=6- if "v2"', 'ABCDEFGHIJKL']);
  });

  test.each<[string, object]>([
    ['a weak ETag beside a Last-Modified long ago', { ...LONG_AGO, etag: 'W/"v1"' }],
    ['an ETag without quotation marks', { etag: 'v1' }],
    ['a Last-Modified just before the response', { ...LONG_AGO, date: 'Thu, 01 Jan 2026 00:00:59 GMT' }],
    ['a Last-Modified in a response without a Date', { 'last-modified': MODIFIED }],
    ['the ETag of an encoded body', { etag: '"v1"', 'content-encoding': 'gzip' }],
  ])('%s proves nothing: a rest that is the whole file starts a new one', async (_, first) => {
    const all = rest('bytes 0-2/3');
    const answers: StorageResponse[] = [
      [first, 'abcd', CUT],
      [all, 'new'],
      [all, 'new'],
    ];
    expect(await saved(answers)).toEqual(['whole', 'whole', 'new']);
  });
});

test('an interruption before the first byte requests the whole file, whatever the validator', async () => {
  const all = rest('bytes 0-9/10', V1);
  const answers: StorageResponse[] = [
    [V1, CUT],
    [all, 'abcdefghij'],
    [all, 'abcdefghij'],
  ];
  expect(await saved(answers)).toEqual(['whole', 'whole', 'abcdefghij']);
});

test("bytes in the API's response are requested again from the API", async () => {
  const answers: StorageResponse[] = [
    [{}, 'abcd', CUT],
    [{}, 'abcdefghij'],
  ];
  expect(await saved(answers, { withoutUrl: true })).toEqual(['abcdefghij']);
});

test('a rest that ends too early is followed by another request, even if only the rest gave the length', async () => {
  const answers: StorageResponse[] = [
    [{ etag: '"v1"' }, 'abcd', CUT],
    [rest('bytes 4-6/10'), 'efg'],
    [rest('bytes 7-9/10'), 'hij'],
  ];
  expect(await saved(answers)).toEqual(['bytes=4- if "v1"', 'bytes=7- if "v1"', 'abcdefghij']);
});

test('a file that ends too early with no retry left is an error', async () => {
  await expect((await open([[V1, 'abcd']], { retries: 0 })).done).rejects.toThrow(texts.fileCutOffAfter);
});

describe('the download', () => {
  const resumedResponse: StorageResponse = [rest('bytes 4-9/10'), 'efghij'];

  test.each([
    ['a broken connection', CUT],
    ['a silent storage', new TimeoutError('silent')],
  ])('does not end with %s', async (_, fault) => {
    expect(await saved([[V1, 'abcd', fault], resumedResponse])).toEqual(['bytes=4- if "v1"', 'abcdefghij']);
  });

  test('ends with a full disk and without another request', async () => {
    replaceFileOpen((real) => async (...args) => {
      const write = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
      return Object.assign(await real(...args), { write });
    });
    const { done, requested, text } = await open([[V1, 'abcd'], resumedResponse]);
    await expect(done).rejects.toMatchObject({ name: 'FileError', code: 'ENOSPC' });
    expect([requested(), text()]).toEqual([[], undefined]);
  });

  test.each<[string, Service, number]>([
    ["the client's retries", {}, 2],
    ["the caller's retries", { retries: 1 }, 1],
    ['no retries with resume: false', { resume: false }, 0],
  ])('ends with an error and leaves no file after %s', async (_, more, attempts) => {
    const answers: StorageResponse[] = [...Array(attempts).fill([V1, CUT]), [V1, CUT], [V1, 'abcdefghij']];
    const { done, requested, path } = await open(answers, more);
    await expect(done).rejects.toThrow(NetworkError);
    expect(requested()).toEqual(Array(attempts).fill('whole'));
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  test.each(['the caller', 'the client'])('is ended by %s in the pause before the next request', async (who) => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const { client, done, requested } = await open([[V1, 'abcd', CUT], resumedResponse], {
      signal: stop.signal,
      baseDelayMs: 60_000,
      onProgress: () => setTimeout(() => (who === 'the caller' ? stop.abort(reason) : void client.close()), 20),
    });
    const end = await done.catch((error: unknown) => error);
    if (who === 'the caller') expect(end).toBe(reason);
    else expect(end).toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(requested()).toEqual([]);
  });
});

test('progress counts the received bytes, and restarts if the file restarts', async () => {
  const seen: unknown[] = [];
  const onProgress: SaveOptions['onProgress'] = ({ receivedBytes, totalBytes }) =>
    void seen.push([receivedBytes, totalBytes]);
  const answers: StorageResponse[] = [
    [{ etag: '"v1"' }, 'ab', 'cd', CUT],
    [rest('bytes 4-9/10'), 'ef', CUT],
    [{ 'content-length': '3' }, 'new'],
  ];
  await saved(answers, { onProgress });
  expect(seen).toEqual([
    [2, undefined],
    [4, undefined],
    [6, 10],
    [3, 3],
  ]);
});

test('the retries start over after a megabyte of progress, so a long download survives more interruptions', async () => {
  const MB = 1024 * 1024;
  const partsOf = (size: number): StorageResponse[] => [
    [{ etag: '"v1"' }, 'x'.repeat(size), CUT],
    [rest(`bytes ${size}-${2 * MB}/${2 * MB + 1}`), 'x'.repeat(size), CUT],
    [rest(`bytes ${2 * size}-${2 * MB}/${2 * MB + 1}`), 'x'.repeat(2 * MB + 1 - 2 * size)],
  ];
  expect(await saved(partsOf(MB), { retries: 1 })).toHaveLength(3);
  await expect((await open(partsOf(MB - 1), { retries: 1 })).done).rejects.toThrow(NetworkError);
});

test('a web page in small chunks is rejected, and not requested again', async () => {
  const { done, requested, text } = await open([[V1, '<!doc', 'type html>', 'x'.repeat(600), CUT]]);
  await expect(done).rejects.toMatchObject({ name: 'UnexpectedResponseError' });
  expect([requested(), text()]).toEqual([[], undefined]);
});

test.each<[string, StorageResponse, StorageResponse]>([
  ['split by an interruption', [{ etag: '"v1"' }, '<!doc', CUT], [rest('bytes 5-14/15'), 'type html>']],
  ['when the download restarts', [V1, 'abcd', CUT], [{}, '<!doctype html>']],
])('a web page is rejected %s', async (_, first, second) => {
  const { done, text } = await open([first, second]);
  await expect(done).rejects.toMatchObject({ name: 'UnexpectedResponseError' });
  expect(text()).toBeUndefined();
});

const fails = (code: string) => [{ fails: code }] as const;

test.each<[string, StorageResponse, string, number]>([
  ['is overloaded', [{ status: 503 }], 'NetworkError', 3],
  // The URL may have expired, so the client requests another one from the service.
  ['does not have the file', [{ status: 404 }], 'NetworkError', 2],
  ['resets the connection', fails('ECONNRESET'), 'NetworkError', 3],
  ['has an invalid certificate', fails('CERT_HAS_EXPIRED'), 'NetworkError', 1],
])('if the storage %s, the download fails with a %3$s after %4$i requests', async (_, answer, name, times) => {
  const { done, requested } = await open(Array(3).fill(answer));
  await expect(done).rejects.toMatchObject({ name });
  expect(requested()).toHaveLength(times - 1);
});

test('a name that exists in the folder is rejected before the download, and the connection is closed', async () => {
  const folder = ownTemporaryFolder();
  writeFileSync(join(folder, 'a.pdf'), 'before');
  const { done, path, signals } = await open([[{ ...V1, 'content-disposition': 'filename="a.pdf"' }, 'abcdefghij']], {
    folder,
  });
  await expect(done).rejects.toThrow('a.pdf already exists');
  expect([signals.map((signal) => signal?.aborted), readdirSync(folder)]).toEqual([[true], ['a.pdf']]);
  expect(path).toBe(folder);
});

test('an abort at the last byte saves no file', async () => {
  const stop = new AbortController();
  const { signal } = stop;
  const { done, text } = await open([[{}, 'abcdefghij']], { signal, onProgress: () => stop.abort('enough') });
  await expect(done).rejects.toBe('enough');
  expect(text()).toBeUndefined();
});
