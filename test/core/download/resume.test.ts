import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NetworkError, UnexpectedResponseError } from '../../../src/index.ts';
import { type StoreRequest, serveRange, startFileStore } from '../../support/file-store.ts';
import { ownTemporaryFolder } from '../../support/upload-service.ts';
import { texts } from '../texts.ts';

const pdf = Buffer.from(`%PDF-1.7 ${'0123456789'.repeat(40_000)}`);
const other = Buffer.from(`%PDF-1.7 ${'abcdefghij'.repeat(30_000)}`);
const BREAK = 150_000;

async function save(
  store: (asked: StoreRequest) => unknown,
  options: { resume?: boolean; retries?: number } = {},
  answer?: (origin: string) => object,
) {
  const folder = ownTemporaryFolder();
  const service = await startFileStore(store, answer);
  const path = join(folder, 'a.pdf');
  const failure: unknown = await (await service.ask()).saveTo(path, options).then(
    () => undefined,
    (error: unknown) => error,
  );
  const names = readdirSync(folder);
  return { ...service, failure, names, bytes: names.includes('a.pdf') ? readFileSync(path) : undefined };
}

const old = { 'last-modified': 'Sat, 21 Nov 2020 10:00:00 GMT' };

test.each<[string, { etag?: string; headers?: Record<string, string> }]>([
  ['an ETag', { etag: '"v1"' }],
  ['a time of change long past', { headers: old }],
])('a connection that breaks off is taken up where it stopped, by %s', async (_, proof) => {
  const { bytes, ranges } = await save((asked) => serveRange(asked, pdf, { ...proof, most: BREAK }));
  expect(bytes?.equals(pdf)).toBe(true);
  expect(ranges).toEqual([undefined, `bytes=${BREAK}-`, `bytes=${2 * BREAK}-`]);
});

test('If-Range carries the proof, and no key goes along', async () => {
  const heads: unknown[] = [];
  await save((asked) => {
    const { authorization, 'if-range': proof } = asked.request.headers;
    heads.push([authorization, proof]);
    serveRange(asked, pdf, { etag: '"v1"', ...(asked.times === 1 ? { most: BREAK } : {}) });
  });
  expect(heads).toEqual([
    [undefined, undefined],
    [undefined, '"v1"'],
  ]);
});

test.each<[string, (asked: StoreRequest) => void]>([
  ['gives no proof', (asked) => serveRange(asked, pdf, asked.times === 1 ? { most: BREAK } : {})],
  [
    'gives a weak ETag',
    (asked) => serveRange(asked, pdf, { etag: 'W/"1"', ...(asked.times === 1 ? { most: BREAK } : {}) }),
  ],
  [
    'changed a moment ago',
    (asked) =>
      serveRange(asked, pdf, {
        headers: { 'last-modified': new Date().toUTCString() },
        ...(asked.times === 1 ? { most: BREAK } : {}),
      }),
  ],
  [
    'ignores ranges',
    (asked) => serveRange({ ...asked, from: 0 }, pdf, { etag: '"v1"', ...(asked.times === 1 ? { most: BREAK } : {}) }),
  ],
  [
    'refuses the range',
    (asked) =>
      asked.from > 0
        ? asked.response.writeHead(416).end()
        : serveRange(asked, pdf, { etag: '"v1"', ...(asked.times === 1 ? { most: BREAK } : {}) }),
  ],
])('where the store %s, the file begins again and is whole', async (_, store) => {
  const { bytes, names } = await save(store);
  expect(bytes?.equals(pdf)).toBe(true);
  expect(names).toEqual(['a.pdf']);
});

test.each<[string, (asked: StoreRequest) => void]>([
  [
    'says so',
    (asked) =>
      serveRange({ ...asked, from: asked.times === 1 ? asked.from : 0 }, asked.times === 1 ? pdf : other, {
        etag: asked.times === 1 ? '"v1"' : '"v2"',
        ...(asked.times === 1 ? { most: BREAK } : {}),
      }),
  ],
  [
    'gives the rest of the new one under another ETag',
    (asked) =>
      serveRange(asked, asked.times === 1 ? pdf : other, {
        etag: asked.times === 1 ? '"v1"' : '"v2"',
        ...(asked.times === 1 ? { most: BREAK } : {}),
      }),
  ],
  [
    'gives the rest of the new one, of another length',
    (asked) =>
      serveRange(asked, asked.times === 1 ? pdf : other, {
        ...(asked.times === 1 ? { etag: '"v1"', most: BREAK } : {}),
      }),
  ],
])('two versions are never mixed: a store whose file changed %s', async (_, store) => {
  const { bytes } = await save(store);
  expect(bytes?.equals(other)).toBe(true);
});

test('a store whose file became shorter than what had come leaves no end of the old one behind it', async () => {
  const short = pdf.subarray(0, 1000);
  const { bytes } = await save((asked) =>
    asked.times === 1
      ? serveRange(asked, pdf, { etag: '"v1"', most: BREAK })
      : serveRange({ ...asked, from: 0 }, short, { etag: '"v2"' }),
  );
  expect(bytes?.equals(short)).toBe(true);
});

test.each([
  [texts.aPageInPlaceOf, '<!doctype html><title>Sign in</title>', 5],
  ['a long one', `<!doctype html><title>Sign in</title>${' '.repeat(2000)}`, 511],
])('%s is refused too where the connection broke in its first bytes', async (_, page, most) => {
  const { failure, names } = await save((asked) =>
    serveRange(asked, Buffer.from(page), { etag: '"v1"', ...(asked.times === 1 ? { most } : {}) }),
  );
  expect([failure, names]).toEqual([expect.any(UnexpectedResponseError), []]);
});

test('a range from elsewhere than asked is not taken', async () => {
  const { bytes } = await save((asked) => {
    if (asked.times === 1) return serveRange(asked, pdf, { etag: '"v1"', most: BREAK });
    return serveRange({ ...asked, from: Math.max(0, asked.from - 10) }, pdf, { etag: '"v1"' });
  });
  expect(bytes?.equals(pdf)).toBe(true);
});

test('an address that expires on the way is renewed, and the file goes on', async () => {
  let issued = 0;
  const { bytes, asked, ranges } = await save(
    (request) => {
      const sig = new URL(request.request.url ?? '', 'http://a').searchParams.get('sig');
      if (sig === '1' && request.times > 1) return request.response.writeHead(403).end('expired');
      return serveRange(request, pdf, { etag: '"v1"', ...(request.times === 1 ? { most: BREAK } : {}) });
    },
    {},
    (origin) => ({ url: `${origin}/f?sig=${++issued}` }),
  );
  expect(bytes?.equals(pdf)).toBe(true);
  expect([asked(), ranges]).toEqual([2, [undefined, `bytes=${BREAK}-`, `bytes=${BREAK}-`]]);
});

test('bytes that came without an address are asked for again, whole', async () => {
  const folder = ownTemporaryFolder();
  const { ask, asked } = await startFileStore(
    () => undefined,
    () => ({}),
    (response, times) => serveRange({ response, from: 0 }, pdf, times === 1 ? { most: BREAK } : {}),
  );
  await (await ask()).saveTo(join(folder, 'a.pdf'));
  expect(readFileSync(join(folder, 'a.pdf')).equals(pdf)).toBe(true);
  expect(asked()).toBe(2);
});

test('a store that never gets on is given up after the retries, and nothing is left', async () => {
  const { failure, names, ranges } = await save((asked) => serveRange(asked, pdf, { etag: '"v1"', most: 10 }), {
    retries: 2,
  });
  expect(failure).toBeInstanceOf(NetworkError);
  expect([names, ranges.length]).toEqual([[], 3]);
});

test('with resume: false the first break is the end', async () => {
  const { failure, names, ranges } = await save((asked) => serveRange(asked, pdf, { etag: '"v1"', most: BREAK }), {
    resume: false,
  });
  expect(failure).toBeInstanceOf(NetworkError);
  expect(String(failure)).toMatch(/cut off/);
  expect([names, ranges.length]).toEqual([[], 1]);
});
