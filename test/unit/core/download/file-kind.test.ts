import { expect, test } from 'vitest';
import { findFileLocation } from '../../../../src/download/file-location.ts';

test.each<[string, unknown, string | undefined]>([
  ['is the only signed one', { a: 'https://s.test/1?sig=abcd', b: 'https://s.test/page' }, 'https://s.test/1?sig=abcd'],
  ['is unknown if two are signed', { a: 'https://s.test/1?sig=abcd', b: 'https://s.test/2?sig=abcd' }, undefined],
  ['is never a page', { a: 'https://s.test/page' }, undefined],
])('a file URL among unknown field names %s', (_, raw, url) => {
  expect(findFileLocation(JSON.stringify(raw))?.url).toBe(url);
});

const SIGNED = 'https://files.example.com/f1?signature=abcdef';
const at = ['file', 'whereabouts'];

test('the file URL is read from its learned path, or else from a common field name', () => {
  const both = { url: 'https://app.example.com/agreements/1', file: { whereabouts: SIGNED, name: 'nda.pdf' } };
  expect(findFileLocation(JSON.stringify(both))?.url).toBe(both.url);
  expect(findFileLocation(JSON.stringify(both), at)).toEqual({ url: SIGNED, name: 'nda.pdf', type: undefined });
  const page = { url: SIGNED, file: { whereabouts: 'https://app.example.com/agreements/1' } };
  expect(findFileLocation(JSON.stringify(page), at)?.url).toBe(SIGNED);
  for (const lost of [[], ['__proto__', 'whereabouts'], ['file', 'constructor', 'name'], ['file', '0']])
    expect(findFileLocation(JSON.stringify({ url: SIGNED, file: { whereabouts: 7 } }), lost)?.url).toBe(SIGNED);
});
