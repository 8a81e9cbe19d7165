/** Which responses may be the requested file, and which address of a response is the file's. */
import { expect, test } from 'vitest';
import { checkFileKind, type FileKindCheck } from '../../../../src/download/check-file-kind.ts';
import { findFileLocation } from '../../../../src/download/file-location.ts';
import { texts } from '../../../core/texts.ts';

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

const SIGNED = 'https://files.example.com/f1?signature=abcdef';
const at = ['file', 'whereabouts'];

test('the file URL is read from its learned position, or else from a usual field name', () => {
  const both = { url: 'https://app.example.com/agreements/1', file: { whereabouts: SIGNED, name: 'nda.pdf' } };
  expect(findFileLocation(JSON.stringify(both))?.url).toBe(both.url);
  expect(findFileLocation(JSON.stringify(both), at)).toEqual({ url: SIGNED, name: 'nda.pdf', type: undefined });
  const page = { url: SIGNED, file: { whereabouts: 'https://app.example.com/agreements/1' } };
  expect(findFileLocation(JSON.stringify(page), at)?.url).toBe(SIGNED);
  for (const lost of [[], ['__proto__', 'whereabouts'], ['file', 'constructor', 'name'], ['file', '0']])
    expect(findFileLocation(JSON.stringify({ url: SIGNED, file: { whereabouts: 7 } }), lost)?.url).toBe(SIGNED);
});
