/** Redaction of secrets in printed text, in every form in which a service may quote them. */
import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { isSecretName } from '../../../../src/assumptions/index.ts';
import { createExcerpt, findSecrets, redact, redactHeaders, redactSecrets } from '../../../../src/redact/redact.ts';

const R = '[redacted]';

test.each([
  ['a bearer header', 'authorization was Bearer abcdef123', `authorization was Bearer ${R}`],
  ['basic authentication', 'basic YWJjOmRlZg==', `basic ${R}`],
  ['a bearer token in a URL', 'x=1&h=bearer%20abcdef123', `x=1&h=bearer ${R}`],
  ['a bearer token in a form', 'bearer+abcdef123', `bearer ${R}`],
  ['a short word after bearer stays', 'bearer of it', 'bearer of it'],
  ['bearer inside a word stays', 'forbearer abcdef123', 'forbearer abcdef123'],
  ['the query of a URL', 'see https://a.test/x?a=b#c now', `see https://a.test/x?${R} now`],
  ['a URL without a query stays', 'see https://a.test/x now', 'see https://a.test/x now'],
  ['the fragment of a URL', 'HTTP://a.test/x#c', `HTTP://a.test/x?${R}`],
  ['two URLs', '"http://a?b" "http://c?d"', `"http://a?${R}" "http://c?${R}"`],
  ['a user name and password in a URL', 'at https://ada:pa%40ss@a.test/x now', `at https://${R}@a.test/x now`],
  ['a URL with another scheme', 'postgres://u:p@db/x', `postgres://${R}@db/x`],
  ['an email address in a path stays', 'https://a.test/ada@b.test', 'https://a.test/ada@b.test'],
  ['an encoded URL', 'x%3Dhttps%3A%2F%2Fa.test%2Fx%3Fsig%3Dabc z', `x%3Dhttps%3A%2F%2Fa.test%2Fx?${R} z`],
  ['a URL encoded twice', 'https%253A%252F%252Fa.test%253Fsig%253Dabc', `https%253A%252F%252Fa.test?${R}`],
  ['a header', 'sent X-Api-Key: abcdef12\nHost: a', `sent X-Api-Key: ${R}\nHost: a`],
  ['a header with another scheme', 'Authorization: Token abc def', `Authorization: ${R}`],
  ['a storage token', 'x-amz-security-token: FwoG/abc=', `x-amz-security-token: ${R}`],
  ['a cookie', 'set-cookie: sid=abc; Path=/\nx', `set-cookie: ${R}\nx`],
  ['a word after token: stays', 'the token: expired', 'the token: expired'],
  ['a field', '{"token":"abc","name":"x"}', `{"token":"${R}","name":"x"}`],
  ['a number', '{"secret": -1.5e+3, "a": 1}', `{"secret": "${R}", "a": 1}`],
  ['a string with quotes', '{"password":"a\\"b","x":"c"}', `{"password":"${R}","x":"c"}`],
  ['a string that ends in a backslash', '{"password":"a\\\\","x":"c"}', `{"password":"${R}","x":"c"}`],
  ['a field that was cut off', '{"password":"abc', `{"password":"${R}"`],
  ['JSON in JSON', '{"body":"{\\"token\\":\\"abc\\",\\"a\\":1}"}', `{"body":"{\\"token\\":\\"${R}\\",\\"a\\":1}"}`],
  [
    'a string with quotes in JSON in JSON',
    '{\\"password\\":\\"a\\\\\\"b\\",\\"x\\":\\"c\\"}',
    `{\\"password\\":\\"${R}\\",\\"x\\":\\"c\\"}`,
  ],
  ['a field whose name has every allowed character', '{"aAzZ09_-token":"abc"}', `{"aAzZ09_-token":"${R}"}`],
  ['a parameter whose name has every allowed character', 'a=1&aAzZ09_-token=abc&b', `a=1&aAzZ09_-token=${R}&b`],
  ['a parameter whose value contains another one', 'token=a=b;secret=c d', `token=${R} d`],
  ['a field with another name stays', '{"tok":"abc"}', '{"tok":"abc"}'],
  ['a parameter', 'a=1&token=abc&b=2', `a=1&token=${R}&b=2`],
  ['two in a row', 'token=a&secret=b', `token=${R}&secret=${R}`],
  ['a parameter inside a path stays', 'a/token=abc', 'a/token=abc'],
  ['a form in JSON', '{"body":"token=abc&a=1"}', `{"body":"token=${R}&a=1"}`],
  ['a form in JSON with numeric escapes', '{"body":"a\\u0026token=abc"}', `{"body":"a\\u0026token=${R}"}`],
  ['a parameter in quotes', "'api_key=abc'", `'api_key=${R}'`],
  ['a parameter after a colon', 'a/b:token=abc', `a/b:token=${R}`],
  ['a fragment', '#access_token=abc', `#access_token=${R}`],
  ['an encoded query', 'a%3Ftoken=abc', `a%3Ftoken=${R}`],
  ['a name without a closing quote stays', '{"token: "abc"}', '{"token: "abc"}'],
])('%s', (_, text, clean) => {
  expect(redact(text)).toBe(clean);
});

describe('a given secret', () => {
  const SECRET = `a/b"c&d<e>'f é\\`;
  test.each([
    ['is redacted as it is', SECRET],
    ['is redacted in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['is redacted in JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
    ['is redacted in JSON in JSON', JSON.stringify(JSON.stringify(SECRET).slice(1, -1)).slice(1, -1)],
    ['is redacted in a URL', encodeURIComponent(SECRET)],
    ['is redacted in a form', new URLSearchParams([['', SECRET]]).toString().slice(1)],
    ['is redacted in HTML with numeric references', SECRET.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)],
    [
      'is redacted in HTML with named references',
      SECRET.replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#x27;'),
    ],
    ['is redacted in base64', Buffer.from(SECRET).toString('base64')],
  ])('%s', (_, form) => {
    expect(redactSecrets(`x${form}y${form}z`, [SECRET])).toBe(`x${R}y${R}z`);
  });
  test('that is empty matches nothing, and half a surrogate pair does no harm', () => {
    expect(redactSecrets('abc', [''])).toBe('abc');
    expect(redactSecrets('abc', ['\ud83d'])).toBe('abc');
  });
  test('is redacted completely if one of its encodings begins with another', () => {
    expect(redactSecrets('{"password":"abcd\\\\"}', ['abcd\\'])).toBe(`{"password":"${R}"}`);
    expect(redactSecrets('abcd%26', ['abcd&'])).toBe(R);
  });
  test('is redacted before any other step', () => {
    expect(redact('key k?1&2 x', ['k?1&2'])).toBe(`key ${R} x`);
  });
});

test('secrets of an input are the values of secret names, from four characters, five levels deep', () => {
  const deep = (levels: number): unknown => (levels === 0 ? { pin: 'x', secret: 'deep' } : { a: deep(levels - 1) });
  expect(findSecrets({ password: 'four', name: 'Ann', token: 'abc', list: [{ api_key: 'list' }] })).toEqual([
    'four',
    'list',
  ]);
  expect([3, 4, 5].map((levels) => findSecrets(deep(levels)))).toEqual([['deep'], ['deep'], []]);
  for (const value of [undefined, null, 'password', 7, { password: 1234 }, { token: ['a', 'b', 'c', 'd'] }])
    expect(findSecrets(value)).toEqual([]);
  expect(findSecrets({ password: { token: 'inner' } })).toEqual(['inner']);
});

test.each([
  [true, 'password link_password Passcode passphrase clientSecret refresh_token X-Signature apikey api_key x-api-key'],
  [true, 'Authorization set-cookie X-Amz-Credential x-goog-anything pwd sig uploadUrl upload_url download_url'],
  [true, 'signed_url presignedUrl'],
  [false, 'x-amz- design pwds my_upload_url url key name'],
])('%s: whether each of %s is the name of a secret', (is, names) => {
  for (const name of names.split(' ')) expect(isSecretName(name), name).toBe(is);
});

describe('an excerpt', () => {
  test('is one line of printable characters', () => {
    expect(createExcerpt(' a\r\n\tb\u0000\u001b[31mc\u202ed\u2066e\u200bf ')).toBe('a b [31mc d e f');
  });
  test('is cut at its limit, by default 500 characters', () => {
    expect(createExcerpt('x'.repeat(500))).toBe('x'.repeat(500));
    expect(createExcerpt('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
    expect(createExcerpt('abcd', { limit: 3 })).toBe('abc…');
  });
  test('hides a URL whose field name marks it as a secret', () => {
    expect(createExcerpt('{"uploadUrl":"https://s.test/one-time/abc","id":1}')).toBe(`{"uploadUrl":"${R}","id":1}`);
  });
  test('is redacted before it is cut', () => {
    expect(createExcerpt('abc SECRET-1', { limit: 7, secrets: ['SECRET-1'] })).toBe('abc [re…');
  });
  test('of a text longer than the searched part ends before the end of that part', () => {
    const text = `${'x'.repeat(64 * 1024 - 4)}SECRET-1`;
    expect(createExcerpt(text, { limit: 1e6, secrets: ['SECRET-1'] })).toBe('x'.repeat(64 * 1024 - 48));
    expect(createExcerpt('x'.repeat(64 * 1024), { limit: 1e6, secrets: ['SECRET-1'] })).toHaveLength(64 * 1024);
  });
});

test('headers are limited in number and length, and contain no secrets', () => {
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`x-${at}`, 'y']));
  expect(Object.keys(redactHeaders(many, []))).toHaveLength(64);
  expect(
    redactHeaders({ 'set-cookie': 'a', 'x-long': 'x'.repeat(400), 'x-own': 'KEY-1234', ['n'.repeat(120)]: 'v' }, [
      'KEY-1234',
    ]),
  ).toEqual({ 'set-cookie': R, 'x-long': `${'x'.repeat(300)}…`, 'x-own': R, [`${'n'.repeat(100)}…`]: 'v' });
});

test('a secret that is added to the list, or replaces another, is redacted from then on', () => {
  const secrets = ['first-secret'];
  expect(redactSecrets('first-secret other-secret', secrets)).toBe(`${R} other-secret`);
  secrets[0] = 'other-secret';
  expect(redactSecrets('first-secret other-secret', secrets)).toBe(`first-secret ${R}`);
  secrets.push('first-secret');
  expect(redactSecrets('first-secret other-secret', secrets)).toBe(`${R} ${R}`);
  secrets[1] = 'last-secret';
  expect(redactSecrets('other-secret last-secret', secrets)).toBe(`${R} ${R}`);
  secrets[1] = 'first-secret';
  expect(redactSecrets('first-secret other-secret', secrets)).toBe(`${R} ${R}`);
});

describe('a key in any encoding is redacted', () => {
  const key = 'dsk_live_aB3+x/Yz9-QwErTy_0=7uIoP';
  const each = (write: (hex: string, code: number) => string) =>
    [...key].map((sign) => write(sign.charCodeAt(0).toString(16).padStart(2, '0'), sign.charCodeAt(0))).join('');
  const parts = (by: string) => key.replace(/(.{8})/g, `$1${by}`);
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  test.each([
    ['in upper case', key.toUpperCase()],
    ['in a URL', each((hex) => `%${hex}`)],
    ['in a URL in a URL', encodeURIComponent(encodeURIComponent(key))],
    ['in a URL in lower case', encodeURIComponent(key).toLowerCase()],
    ['in JSON', each((hex) => `\\u00${hex}`)],
    ['in JSON in JSON', each((hex) => `\\\\u00${hex.toUpperCase()}`)],
    ['in source code', each((hex) => `\\x${hex}`)],
    ['in HTML', each((_, code) => `&#${code};`)],
    ['in HTML with hexadecimal references', each((hex) => `&#x${hex};`)],
    ['wrapped over lines', parts('\r\n\t')],
    ['wrapped over lines in JSON', parts('\\n')],
    ['in an email', each((hex) => `=${hex}`).replace(/(.{30})/g, '$1=\r\n')],
    ['with invisible characters', parts('\u200b')],
    ['with marks for line breaks', parts('<wbr>')],
    ['in hex', Buffer.from(key).toString('hex').toUpperCase()],
    ['in base64 wrapped over lines', base64(key).replace(/(.{16})/g, '$1\n')],
    ['in base64url', Buffer.from(key).toString('base64url')],
    ['truncated', key.slice(0, 20)],
  ])('%s', (_, written) => {
    const found = redactSecrets(`you sent ${written} today`, [key]);
    expect(found.replace(/\[redacted\][=oP]*/, R)).toBe(`you sent ${R} today`);
  });

  test.each([0, 1, 2])('in base64 after %i other characters', (letters) => {
    const left = redactSecrets(base64(`${'x'.repeat(letters)}${key}`), [key]).split(R);
    expect(left.length).toBe(2);
    expect(left.join('').replaceAll('=', '').length).toBeLessThanOrEqual(5);
  });

  test.each<[string, string, string]>([
    ['with twelve characters', 'ABCDEFGHIJKL', 'abcdefghijkl'],
    ['that looks percent-encoded', 'ABC=4142DEF%20X1', 'abc=4142def%20x1'],
  ])('if it is one %s', (_, text, secret) => {
    expect(redactSecrets(`at ${text} now`, [secret])).toBe(`at ${R} now`);
  });

  test.each<[string, string, string]>([
    ['eleven characters', `${Buffer.from('abcdefghijk').toString('hex')} ABCDEFGHIJK`, 'abcdefghijk'],
    ['backslashes only', '\\'.repeat(11), '\\'.repeat(12)],
    ['a space', Buffer.from('two words here').toString('hex'), 'two words here'],
    ['another character in its place', 'USER`EXAMPLE.X1', 'user@example.x1'],
  ])('is not searched for in other forms if it has %s', (_, text, secret) => {
    expect(redactSecrets(text, [secret])).toBe(text);
  });

  test('by its first half, or its first 48 characters', () => {
    const long = Array.from({ length: 300 }, (_, at) => String.fromCharCode(97 + ((at * 7) % 26))).join('');
    expect(redactSecrets(`x ${long.slice(0, 60).toUpperCase()} y`, [long])).toBe(`x ${R} y`);
    expect(redactSecrets(long.slice(0, 47).toUpperCase(), [long])).toBe(long.slice(0, 47).toUpperCase());
    expect(redactSecrets(key.slice(0, 15).toUpperCase(), [key])).toBe(key.slice(0, 15).toUpperCase());
  });

  test('beside another one', () => {
    const [one, two] = ['first-secret-1', 'second-secret-2'];
    for (const secrets of [
      [one, two],
      [two, one],
    ]) {
      const hex = Buffer.from(two).toString('hex');
      expect(redactSecrets(`a ${one.toUpperCase()} b ${hex} c`, secrets)).toBe(`a ${R} b ${R} c`);
      expect(redactSecrets(one.toUpperCase() + two.toUpperCase(), secrets)).toBe(R + R);
    }
  });

  test('but a text that only begins like the key is unchanged', () => {
    for (const text of ['dsk_live_ is how keys begin', 'dsk_live_aB3+x/'])
      expect(redactSecrets(text, [key])).toBe(text);
    expect(redactSecrets('Pass Word', ['password'])).toBe('Pass Word');
  });

  test('without compiled code per key, which would slow down every regular expression', () => {
    const codeBytes = () =>
      getHeapSpaceStatistics()
        .filter(({ space_name: name }) => name.includes('code'))
        .reduce((sum, { space_used_size: used }) => sum + used, 0);
    const before = codeBytes();
    for (let at = 0; at < 100; at++)
      expect(redactSecrets(`was ${key.toUpperCase()}${at}0`, [`${key}${at}0`])).toBe(`was ${R}`);
    expect(codeBytes() - before).toBeLessThan(8_000_000);
  });
});
