import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type StoreRequest, serveRange, startFileStore } from '../../support/file-store.ts';
import { ownTemporaryFolder } from '../../support/upload-service.ts';

const pdf = Buffer.from(`%PDF-1.7 ${'0123456789'.repeat(40_000)}`);
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
  ['a Last-Modified long ago', { headers: old }],
])('a broken connection is resumed where it stopped, by %s', async (_, proof) => {
  const { bytes, ranges } = await save((asked) => serveRange(asked, pdf, { ...proof, most: BREAK }));
  expect(bytes?.equals(pdf)).toBe(true);
  expect(ranges).toEqual([undefined, `bytes=${BREAK}-`, `bytes=${2 * BREAK}-`]);
});

test('If-Range carries the validator, and the key is not sent', async () => {
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

test('a file that became shorter in the storage does not keep the end of its old version', async () => {
  const short = pdf.subarray(0, 1000);
  const { bytes } = await save((asked) =>
    asked.times === 1
      ? serveRange(asked, pdf, { etag: '"v1"', most: BREAK })
      : serveRange({ ...asked, from: 0 }, short, { etag: '"v2"' }),
  );
  expect(bytes?.equals(short)).toBe(true);
});

test('a URL that expires during the download is renewed, and the download continues', async () => {
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
