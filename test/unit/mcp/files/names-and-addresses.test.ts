import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkFileType } from '../../../../mcp/files/check-file-type.ts';
import { checkDocumentName, isDocumentName } from '../../../../mcp/files/document-name.ts';
import { isHiddenPath } from '../../../../mcp/files/hidden-path.ts';
import { createPublicLookup, parsePublicUrl } from '../../../../mcp/files/public-url.ts';
import { texts } from '../../../mcp/texts.ts';

// A module mock would not work, because the module under test may already be loaded.
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('a file whose content does not match its name is rejected, and an unknown type is accepted', () => {
  const check = (name: string, start: string) => () => checkFileType(name, Buffer.from(start, 'latin1'));
  expect(check('a.pdf', '<!doctype html>')).toThrow(texts.butContentWebPage);
  expect(check('a.docx', '%PDF-')).toThrow(expect.objectContaining({ code: 'wrong_type' }));
  for (const [name, start] of [
    ['a.pdf', '%PDF-'],
    ['a.docx', 'PK\x03\x04'],
    ['a.pdf', 'words'],
    ['a.txt', '%PDF-'],
    ['a', '%PDF-'],
  ] as const)
    expect(check(name, start), name).not.toThrow();
});

test('only document names may be saved', () => {
  const names = 'pdf doc docx odt rtf ppt pptx odp xls xlsx ods csv png jpg jpeg tif tiff p7m p7s asice'.split(' ');
  for (const ending of names) expect(isDocumentName(`A.b.${ending.toUpperCase()}`), ending).toBe(true);
  for (const name of ['a.sh', 'a.md', 'a.html', 'a.js', 'pdf', '.pdf', 'a.pdf.exe', 'a.pdf ', 'CLAUDE.md', 'a.'])
    expect(isDocumentName(name), name).toBe(false);
  expect(() => checkDocumentName('b.pdf')).not.toThrow();
  expect(() => checkDocumentName('b.sh')).toThrow(texts.usePathEndsPdf);
});

test.each<[boolean, NodeJS.Platform, home: string, root: string, path: string]>([
  [false, 'linux', '/home/a', '/home/a', 'Library/deck.pdf'],
  [true, 'linux', '/home/a', '/home/a', '.config/Claude/deck.pdf'],
  [true, 'linux', '/home/a', '/home/a', 'state/docshare/a.pdf'],
  [true, 'darwin', '/Users/a', '/Users/a', 'Library/Application Support/Claude/claude_desktop_config.json'],
  [true, 'darwin', '/Users/a', '/Users/a', 'library/Keychains/login.keychain-db'],
  [false, 'darwin', '/Users/a', '/Users/a', 'Library/Mobile Documents/com~apple~CloudDocs/deck.pdf'],
  [true, 'darwin', '/Users/a', '/Users/a', 'Library/CloudStorage/OneDrive/.git/a.pdf'],
  [false, 'darwin', '/Users/a', '/Users/a/Library/Decks', 'deck.pdf'],
  [true, 'win32', 'C:\\Users\\a', 'C:\\Users\\a', 'AppData\\Roaming\\Claude\\claude_desktop_config.json'],
  [true, 'win32', 'C:\\Users\\a', 'c:\\', 'users\\A\\appdata\\Local\\a.pdf'],
  [true, 'win32', 'C:\\Users\\a', 'C:\\Users\\a', 'NTUSER.DAT'],
  [false, 'win32', 'C:\\Users\\a', 'C:\\Users\\a', 'Documents\\deck.pdf'],
  [false, 'win32', 'C:\\Users\\a', 'D:\\AppData', 'deck.pdf'],
])('whether the file is hidden (%s) on %s with the home %s, below %s: %s', (hidden, platform, home, root, path) => {
  expect(isHiddenPath({ root, path }, { platform, home, privateFolders: ['/home/a/state/docshare'] })).toBe(hidden);
});

test.each<[string, string | RegExp]>([
  ['https://example.com/a?b=c', ''],
  ['http://example.com/', ''],
  ['https://93.184.216.34/', ''],
  ['https://[2606:4700::1111]/', ''],
  ...['', 'example.com', 'ftp://example.com/', 'file:///etc/passwd', 'xhttp://a/', 'https+x://a/'].map(
    (text): [string, string] => [text, texts.urlMustStartHttps],
  ),
  ...['https://user@example.com/', 'https://:pass@example.com/', 'https://u:p@example.com/'].map(
    (text): [string, string] => [text, texts.urlMustContainUser],
  ),
  ['http://127.0.0.1/', /^127\.0\.0\.1 is not on the public internet/],
  ['http://[::1]:80/', /^::1 is not/],
  ['http://2130706433/', /^127\.0\.0\.1 is not/],
  ['http://[::ffff:169.254.1.1]/', /^::ffff:a9fe:101 is not/],
])('%j may be fetched, or the error is: %s', (text, message) => {
  if (message === '') expect(parsePublicUrl(text).href).toBe(text);
  else
    expect(() => parsePublicUrl(text)).toThrow(
      expect.objectContaining({ code: 'url_not_allowed', message: expect.stringMatching(message) }),
    );
});

function lookUp(result: { error?: Error; addresses?: readonly object[] }, all: boolean): unknown[] {
  vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, options: object, done: (...got: unknown[]) => void) => {
    expect(options).toEqual({ all: true, family: 4 });
    done(result.error ?? null, result.addresses);
  }) as never);
  syncBuiltinESMExports();
  let got: unknown[] = [];
  createPublicLookup()('files.test', { all, family: 4 }, (...args) => {
    got = args;
  });
  return got;
}

const PUBLIC = { address: '93.184.216.34', family: 4 };
const PRIVATE = { address: '10.0.0.1', family: 4 };
const PRIVATE_IPV6 = { address: 'fe80::1', family: 6 };

describe('a host name', () => {
  test.each([[[PRIVATE]], [[PUBLIC, PRIVATE]], [[PUBLIC, PRIVATE_IPV6]]])('with %j is rejected', (addresses) => {
    for (const all of [true, false]) {
      const [error, address, family] = lookUp({ addresses }, all);
      expect(error).toMatchObject({
        code: 'url_not_allowed',
        message: expect.stringMatching(/^files\.test is not on the public internet/),
      });
      expect([address, family]).toEqual(['', 0]);
    }
  });
  test('with public addresses resolves to all of them or to one, as requested', () => {
    const addresses = [PUBLIC, { address: '2606:4700::1111', family: 6 }];
    expect(lookUp({ addresses }, true)).toEqual([null, addresses]);
    expect(lookUp({ addresses }, false)).toEqual([null, PUBLIC.address, 4]);
  });
  test('that is unknown or has no address fails', () => {
    const error = new Error('ENOTFOUND');
    expect(lookUp({ error }, true)).toEqual([error, '', 0]);
    expect(lookUp({ error, addresses: [PUBLIC] }, false)).toEqual([error, '', 0]);
    expect(lookUp({ addresses: [] }, true)).toEqual([
      // An unknown name and an internal one get the same error.
      expect.objectContaining({ code: 'url_not_allowed' }),
      '',
      0,
    ]);
  });
});
