import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPortableName } from '../../../src/download/sanitize-file-name.ts';
import { sanitizeFileName } from '../../../src/index.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { createFolderForTest } from '../../support/cleanup.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const FLAG = '🏴󠁧󠁢󠁥󠁮󠁧󠁿';

test.each<[string, string | undefined]>([
  ['deck.pdf', 'deck.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\a.pdf', 'a.pdf'],
  ['..', undefined],
  ['\u0000\u202e\u200b', undefined],
  ['a.pdf. . ', 'a.pdf'],
  ['a|b?.pdf', 'a_b_.pdf'],
  ['a\u2028b\r\nc\u001b[31m.pdf', 'abc[31m.pdf'],
  ['CON', '_CON'],
  ['nul.pdf', '_nul.pdf'],
  ['LPT\u00b9.tar.gz', '_LPT\u00b9.tar.gz'],
  ['conference.pdf', 'conference.pdf'],
  ['e\u0301.pdf', 'é.pdf'],
  ['a\ud800b.pdf', 'a\ufffdb.pdf'],
  [`${FAMILY} ${FLAG}.pdf`, `${FAMILY} ${FLAG}.pdf`],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
  [`${'€'.repeat(100)}.pdf`, `${'€'.repeat(83)}.pdf`],
  [`${FAMILY.repeat(20)}.pdf`, `${FAMILY.repeat(10)}.pdf`],
  [`${'x'.repeat(250)} . .pdf`, `${'x'.repeat(250)}.pdf`],
])('%j is written as %j', (name, expected) => {
  expect(sanitizeFileName(name)).toBe(expected);
});

test.each([
  ['a.pdf', true],
  ['a\u0308.pdf', true],
  ['a.md:b.pdf', false],
])('%j is the same file on every system: %s', (name, is) => expect(isPortableName(name)).toBe(is));

test('a single character longer than the maximum is cut between code points', () => {
  const name = sanitizeFileName(`a${'\u0301\u0302'.repeat(500)}.pdf`) ?? '';
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  expect(name.isWellFormed() && name.endsWith('.pdf')).toBe(true);
});

test('any text becomes a valid file name, and sanitizing it again changes nothing', async () => {
  const folder = createFolderForTest('docshare-test-');
  const piece = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.constantFrom('.', ' ', '..', '/', '\\', 'CON', 'nul', '.pdf', FAMILY, FLAG, '\u202e', 'x'.repeat(200)),
  );
  for (const parts of fc.sample(fc.array(piece, { maxLength: 8 }), { numRuns: 400, seed: 20261121 })) {
    const name = sanitizeFileName(parts.join(''));
    if (name === undefined) continue;
    expect(sanitizeFileName(name)).toBe(name);
    expect(name).not.toMatch(/^[.\s]|[.\s]$|[\p{Cc}/\\]/u);
    await writeFile(join(folder, name), '');
  }
});
