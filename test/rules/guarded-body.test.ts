/** The bytes of a file as they come in: what is cut off is no file. */
import { expect, test } from 'vitest';
import { NetworkError } from '../../src/index.ts';
import { guardBody } from '../../src/wire/guarded-body.ts';

async function* chunks(...sizes: readonly number[]) {
  for (const size of sizes) yield new Uint8Array(size);
}

async function read(headers: Record<string, string>, ...sizes: readonly number[]) {
  const response = { status: 200, headers, body: chunks(...sizes) };
  let bytes = 0;
  for await (const chunk of guardBody(response, { stop: new AbortController() })) bytes += chunk.byteLength;
  return bytes;
}

test.each([
  ['fewer bytes than were told', '5', [2, 2], '4 of 5'],
  ['none of those that were told', '5', [], '0 of 5'],
  ['more bytes than were told', '5', [5, 1], '6 of 5'],
])('%s are an error, though the body ended well', async (_, length, sizes, words) => {
  const reading = read({ 'content-length': length }, ...sizes);
  await expect(reading).rejects.toThrow(NetworkError);
  await expect(reading).rejects.toThrow(`cut off after ${words} bytes`);
});

test.each<[string, Record<string, string>]>([
  ['as many as were told', { 'content-length': '5' }],
  ['any number, where none was told', {}],
  [
    'any number, where the number is of compressed bytes',
    { 'content-length': '3', 'content-encoding': 'gzip' },
  ],
  ['any number, where what was told is none', { 'content-length': 'five' }],
])('%s are the file', async (_, headers) => {
  expect(await read(headers, 2, 3)).toBe(5);
});
