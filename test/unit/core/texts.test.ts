import { expect, test } from 'vitest';
import { findClosestMatch } from '../../../src/did-you-mean.ts';
import { sanitizeForTerminal } from '../../../src/sanitize-for-terminal.ts';
import { texts } from '../../core/texts.ts';

test.each([
  ['redonly', ['read-only', 'files'], 'read-only'],
  ['Read_Only', ['read-only'], 'read-only'],
  ['limk', ['link', 'file'], 'link'],
  ['documents', ['list_documents', 'links'], 'list_documents'],
  ['zzz', ['link'], undefined],
  ['a', [], undefined],
  ['', ['abc'], undefined],
  ['x'.repeat(500), ['link'], undefined],
])('the closest match to %s in %j is %s', (name, known, match) => {
  expect(findClosestMatch(name, known)).toBe(match);
});

const KEY = 'sk_live_0123456789abcdef';
const said = (text: string) => sanitizeForTerminal(text, { DOCSHARE_API_KEY: ` ${KEY}\n` });

test.each([
  ['a plain sentence', texts.portTakesNumber0, texts.portTakesNumber0],
  ['the key', `There is no scope "${KEY}".`, 'There is no scope "[redacted]".'],
  [
    'text that looks like a key',
    'There is no group "dsk_0123456789abcdef0123456789abcdef".',
    'There is no group "dsk_[redacted]".',
  ],
  [
    'long words and numbers that are not keys',
    `${'Donaudampfschifffahrtsgesellschaft'} ${'1'.repeat(30)} 019ab3c2-7f10-7cc2-8f11-0b8f7a3e2d11`,
    `${'Donaudampfschifffahrtsgesellschaft'} ${'1'.repeat(30)} 019ab3c2-7f10-7cc2-8f11-0b8f7a3e2d11`,
  ],
  ['a user name and password in a URL', 'http://me:word@h.test/x', 'http://[redacted]@h.test/x'],
  ['colors and bells', 'a\u001b[31mb\u0007', 'a\\u001b[31mb\\u0007'],
  ['bidirectional overrides', 'a\u202eb\u2066', 'a\\u202eb\\u2066'],
  ['letters of any language', 'Größe – 名前', 'Größe – 名前'],
  ['a longer word', `${'x'.repeat(301)} is none`, `${'x'.repeat(100)}… is none`],
  ['an endless sentence', 'word '.repeat(1000), `${'word '.repeat(800)}…`],
  ['the key at the end of a cut word', `${'x'.repeat(90)}${KEY}${'x'.repeat(300)}`, `${'x'.repeat(90)}[redacted]…`],
])('%s', (_, text, shown) => {
  expect(said(text)).toBe(shown);
});

test('megabytes of text are not processed completely', () => {
  expect(said(`--${'x'.repeat(5_000_000)} is unknown`)).toBe(`--${'x'.repeat(98)}…`);
});

test('without a key, or with a value too short to be one, a sentence is unchanged', () => {
  for (const DOCSHARE_API_KEY of [undefined, '', ' ', 'e', 'stats'])
    expect(sanitizeForTerminal('There is no tool "stats".', { DOCSHARE_API_KEY })).toBe('There is no tool "stats".');
});
