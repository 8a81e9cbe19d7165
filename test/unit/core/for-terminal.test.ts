/** What a terminal gets to read of a start that was refused. */
import { expect, test } from 'vitest';
import { sanitizeForTerminal } from '../../../src/sanitize-for-terminal.ts';
import { texts } from '../../core/texts.ts';

const KEY = 'sk_live_0123456789abcdef';
const said = (text: string) => sanitizeForTerminal(text, { DOCSHARE_API_KEY: ` ${KEY}\n` });

test.each([
  ['a plain sentence', texts.portTakesNumber0, texts.portTakesNumber0],
  ['lines', 'one\ntwo', 'one\ntwo'],
  ['the key', `There is no scope "${KEY}".`, 'There is no scope "[redacted]".'],
  [
    'what looks like a key',
    'There is no group "dsk_0123456789abcdef0123456789abcdef".',
    'There is no group "dsk_[redacted]".',
  ],
  [
    'long words and numbers, which are none',
    `${'Donaudampfschifffahrtsgesellschaft'} ${'1'.repeat(30)} 019ab3c2-7f10-7cc2-8f11-0b8f7a3e2d11`,
    `${'Donaudampfschifffahrtsgesellschaft'} ${'1'.repeat(30)} 019ab3c2-7f10-7cc2-8f11-0b8f7a3e2d11`,
  ],
  ['who signs in at an address', 'http://me:word@h.test/x', 'http://[redacted]@h.test/x'],
  ['colours and bells', 'a\u001b[31mb\u0007', 'a\\u001b[31mb\\u0007'],
  ['a return to the line’s beginning', 'safe\rother', 'safe\\u000dother'],
  ['what turns text around', 'a\u202eb\u2066', 'a\\u202eb\\u2066'],
  ['signs beyond the first plane', 'a\u{e0041}b', 'a\\ue0041b'],
  ['letters of any language', 'Größe – 名前', 'Größe – 名前'],
  ['a word as long as a path', 'x'.repeat(300), 'x'.repeat(300)],
  ['a longer one', `${'x'.repeat(301)} is none`, `${'x'.repeat(100)}… is none`],
  ['a sentence without an end', 'word '.repeat(1000), `${'word '.repeat(800)}…`],
  ['the key where a long word is cut', `${'x'.repeat(90)}${KEY}${'x'.repeat(300)}`, `${'x'.repeat(90)}[redacted]…`],
])('%s', (_, text, shown) => {
  expect(said(text)).toBe(shown);
});

test('megabytes are not read whole', () => {
  expect(said(`--${'x'.repeat(5_000_000)} is unknown`)).toBe(`--${'x'.repeat(98)}…`);
});

test('without a key, or with what can be none, a sentence keeps its letters', () => {
  for (const DOCSHARE_API_KEY of [undefined, '', ' ', 'e', 'stats'])
    expect(sanitizeForTerminal('There is no tool "stats".', { DOCSHARE_API_KEY })).toBe('There is no tool "stats".');
});
