/** What proves that the rest of a file is of the same one, what a break costs, and what comes in place of a file. */
import { expect, test } from 'vitest';
import { checkFileKind, type FileKindCheck } from '../../../../src/download/check-file-kind.ts';
import type { DownloadSource } from '../../../../src/download/download-source.ts';
import { findFileLocation } from '../../../../src/download/file-location.ts';
import type { PartFile } from '../../../../src/download/part-file.ts';
import { receiveFile } from '../../../../src/download/receive-file.ts';
import { NetworkError, type TransportResponse } from '../../../../src/index.ts';
import type { ExchangeContext } from '../../../../src/request/client-context.ts';
import { texts } from '../../../core/texts.ts';
import { standIn } from '../../../support/stand-in.ts';

const WHOLE = Buffer.alloc(3 * 1024 * 1024 + 10, 'x');

/** An answer that breaks off after so many bytes. */
function broken(from: number, most: number, headers: Record<string, string>, status = 200): TransportResponse {
  async function* body() {
    yield WHOLE.subarray(from, from + most);
    if (from + most < WHOLE.byteLength) throw new NetworkError('cut');
  }
  return { status, headers, body: body() };
}

/** Receives a file in answers that break off each time; what was asked for after each break. */
async function received(
  headers: Record<string, string>,
  { most = 100, retries = 1, partHeaders = {} }: { most?: number; retries?: number; partHeaders?: object } = {},
) {
  const asked: (string | undefined)[] = [];
  const source = standIn<DownloadSource>({
    context: standIn<ExchangeContext>({ retry: { retries, baseDelayMs: 0, maxDelayMs: 0 } }),
    url: 'https://store.test/1',
    fetch: async (_: object, ask: Record<string, string> = {}) => {
      asked.push(ask['range'] && `${ask['range']} if ${ask['if-range']}`);
      const from = Number(/\d+/.exec(ask['range'] ?? '')?.[0] ?? 0);
      if (from === 0) return broken(0, WHOLE.byteLength, {});
      const range = `bytes ${from}-${WHOLE.byteLength - 1}/${WHOLE.byteLength}`;
      const size = asked.length < 3 && most > 100 ? most : WHOLE.byteLength;
      return broken(from, size, { ...headers, 'content-range': range, ...partHeaders }, 206);
    },
  });
  let size = 0;
  const part = standIn<PartFile>({
    write: async (bytes: Uint8Array, at: number) => {
      size = at + bytes.byteLength;
    },
    truncate: async (at: number) => {
      size = at;
    },
  });
  const options = { signal: new AbortController().signal, retries };
  const opened = { source, response: broken(0, most, headers) };
  const { sizeBytes } = await receiveFile(opened, { part, checkStart: () => undefined }, options);
  expect([sizeBytes, size]).toEqual([WHOLE.byteLength, WHOLE.byteLength]);
  return asked;
}

const changed = 'Thu, 01 Jan 2026 00:00:00 GMT';
test.each<[string, Record<string, string>, string | undefined]>([
  ['an ETag', { etag: '"v1"' }, 'bytes=100- if "v1"'],
  ['a weak ETag', { etag: 'W/"v1"' }, undefined],
  ['an ETag without quotation marks', { etag: 'v1' }, undefined],
  [
    'a change a minute before',
    { 'last-modified': changed, date: 'Thu, 01 Jan 2026 00:01:00 GMT' },
    `bytes=100- if ${changed}`,
  ],
  ['a change a moment before', { 'last-modified': changed, date: 'Thu, 01 Jan 2026 00:00:59 GMT' }, undefined],
  ['bytes that are coded', { etag: '"v1"', 'content-encoding': 'gzip' }, undefined],
])('with %s the rest or the whole is asked for after a break', async (_, headers, range) => {
  expect(await received(headers)).toEqual([range]);
});

test('a rest that is coded is none: the whole is asked for', async () => {
  const partHeaders = { 'content-encoding': 'gzip' };
  expect(await received({ etag: '"v1"' }, { partHeaders })).toEqual(['bytes=100- if "v1"', undefined]);
});

test('a break behind a megabyte of progress counts like the first: a long file outlives more than the retries', async () => {
  const most = 1024 * 1024;
  expect(await received({ etag: '"v1"' }, { most, retries: 1 })).toHaveLength(3);
  await expect(received({ etag: '"v1"' }, { most: most - 1, retries: 1 })).rejects.toThrow('cut');
});

const arrived = (more: Partial<FileKindCheck>): FileKindCheck => ({
  operation: 'agreements.document',
  status: 200,
  names: [],
  type: undefined,
  storageType: 'application/octet-stream',
  firstBytes: Buffer.from('some words'),
  ...more,
});
test.each<[string, Partial<FileKindCheck>]>([
  ['words of which nothing is known', { storageType: 'application/json' }],
  ['a page where a page is wanted', { firstBytes: Buffer.from('<!doctype html>'), names: ['a.html'] }],
  ['a PDF', { firstBytes: Buffer.from('%PDF-1.7'), names: ['a.pdf'] }],
])('%s may be the file', (_, more) => {
  expect(() => checkFileKind(arrived(more))).not.toThrow();
});

test.each<[string, Partial<FileKindCheck>, string]>([
  ['nothing', { firstBytes: Buffer.alloc(0) }, texts.theFileIsEmpty],
  [
    'words in place of a PDF',
    { names: ['a.pdf'], storageType: 'application/json' },
    'got a JSON text instead of a PDF',
  ],
  ['a page', { firstBytes: Buffer.from('<!doctype html>') }, 'got a web page instead of the file'],
])('%s is not the file', (_, more, said) => {
  expect(() => checkFileKind(arrived(more))).toThrow(said);
});

test.each<[string, unknown, string | undefined]>([
  ['the only signed one', { a: 'https://s.test/1?sig=abcd', b: 'https://s.test/page' }, 'https://s.test/1?sig=abcd'],
  ['none of two signed ones', { a: 'https://s.test/1?sig=abcd', b: 'https://s.test/2?sig=abcd' }, undefined],
  ['none that is a page', { a: 'https://s.test/page' }, undefined],
])('of addresses under names that nobody foresaw %s is the file’s', (_, raw, url) => {
  expect(findFileLocation(JSON.stringify(raw))?.url).toBe(url);
});
