/** Names of documents, kinds of files, and the addresses that files are fetched from. */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkFileType } from '../../../../mcp/files/check-file-type.ts';
import { checkDocumentName, isDocumentName } from '../../../../mcp/files/document-name.ts';
import { createPublicLookup, parsePublicUrl } from '../../../../mcp/files/public-address.ts';
import { texts } from '../../../mcp/texts.ts';

// Not a mock of the module: the file under test may be loaded already.
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('a file whose beginning is of another kind than its name is refused; one of no known kind passes', () => {
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

test('only names of documents are saved', () => {
  const names = 'pdf doc docx odt rtf ppt pptx odp xls xlsx ods csv png jpg jpeg tif tiff p7m p7s asice'.split(' ');
  for (const ending of names) expect(isDocumentName(`A.b.${ending.toUpperCase()}`), ending).toBe(true);
  for (const name of ['a.sh', 'a.md', 'a.html', 'a.js', 'pdf', '.pdf', 'a.pdf.exe', 'a.pdf ', 'CLAUDE.md', 'a.'])
    expect(isDocumentName(name), name).toBe(false);
  expect(() => checkDocumentName('/a/b.pdf')).not.toThrow();
  expect(() => checkDocumentName('/a/b.sh')).toThrow(texts.usePathEndsPdf);
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
  ['http://[fe80::1]/', /^fe80::1 is not/],
  ['http://2130706433/', /^127\.0\.0\.1 is not/],
  ['http://017700000001/', /^127\.0\.0\.1 is not/],
  ['http://0x7f.1/', /^127\.0\.0\.1 is not/],
  ['http://[::ffff:169.254.1.1]/', /^::ffff:a9fe:101 is not/],
])('%j may be fetched, or is refused: %s', (text, refusal) => {
  if (refusal === '') expect(parsePublicUrl(text).href).toBe(text);
  else
    expect(() => parsePublicUrl(text)).toThrow(
      expect.objectContaining({ code: 'url_not_allowed', message: expect.stringMatching(refusal) }),
    );
});

interface Answer {
  readonly error?: Error;
  readonly addresses?: readonly { address: string; family: number }[];
}

function look(answer: Answer, all: boolean): unknown[] {
  vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, options: object, done: (...got: unknown[]) => void) => {
    expect(options).toEqual({ all: true, family: 4 });
    done(answer.error ?? null, answer.addresses);
  }) as never);
  syncBuiltinESMExports();
  let got: unknown[] = [];
  createPublicLookup()('files.test', { all, family: 4 }, (...args) => {
    got = args;
  });
  return got;
}

const OPEN = { address: '93.184.216.34', family: 4 };
const CLOSED = { address: '10.0.0.1', family: 4 };
const SIX = { address: 'fe80::1', family: 6 };

describe('a name', () => {
  test.each([[[CLOSED]], [[OPEN, CLOSED]], [[CLOSED, OPEN]], [[OPEN, SIX]], [[OPEN, OPEN, SIX]]])(
    'with the addresses %j is closed',
    (addresses) => {
      for (const all of [true, false]) {
        const [error, address, family] = look({ addresses }, all);
        expect(error).toMatchObject({
          code: 'url_not_allowed',
          message: expect.stringMatching(/^files\.test is not on the public internet/),
        });
        expect([address, family]).toEqual(['', 0]);
      }
    },
  );
  test('of public addresses is given as it is asked for', () => {
    const addresses = [OPEN, { address: '2606:4700::1111', family: 6 }];
    expect(look({ addresses }, true)).toEqual([null, addresses]);
    expect(look({ addresses }, false)).toEqual([null, OPEN.address, 4]);
  });
  test('that is unknown, or has no address, fails', () => {
    const error = new Error('ENOTFOUND');
    expect(look({ error }, true)).toEqual([error, '', 0]);
    expect(look({ error, addresses: [OPEN] }, false)).toEqual([error, '', 0]);
    expect(look({ addresses: [] }, true)).toEqual([
      expect.objectContaining({ code: 'ENOTFOUND', message: 'no address' }),
      '',
      0,
    ]);
  });
});
