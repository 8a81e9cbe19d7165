import { expect, test } from 'vitest';
import { getUnredactedFields, redactSecretFields, redactSecretValues } from '../../../../mcp/result/redact-secrets.ts';

const PRESIGNED = 'https://store.test/a?X-Amz-Signature=abc';

test('a URL with a query is removed, a URL without one stays, and a URL inside text is redacted', () => {
  expect(
    redactSecretFields(
      { url: PRESIGNED, page: 'https://a.test/l/1', note: `see ${PRESIGNED} now`, id: 7, none: null },
      [],
    ),
  ).toEqual({ page: 'https://a.test/l/1', note: 'see https://store.test/a?[redacted] now', id: 7, none: null });
});

test('a URL stays unless it contains a secret, and otherwise its field is removed', () => {
  expect(redactSecretFields({ page: 'https://a.test/a&b', url: 'http://store.test/a?sig=abc' }, [])).toStrictEqual({
    page: 'https://a.test/a&b',
  });
  expect(redactSecretFields([`${PRESIGNED} is gone`, `it was ${PRESIGNED}`], [])).toEqual([
    'https://store.test/a?[redacted] is gone',
    'it was https://store.test/a?[redacted]',
  ]);
});

test('unredacted fields pass at their path, and no others do', () => {
  const value = {
    url: PRESIGNED,
    confirm_token: 't1',
    items: [{ url: PRESIGNED, token: 't2', file: { url: PRESIGNED } }],
  };
  const items = [{ token: '[redacted]', file: {} }];
  expect(redactSecretFields(value, ['url'])).toEqual({ url: PRESIGNED, confirm_token: '[redacted]', items });
  expect(redactSecretFields(value, ['confirm_token', 'token'])).toEqual({ confirm_token: 't1', items });
  expect(redactSecretFields(value, ['items.url'])).toEqual({
    confirm_token: '[redacted]',
    items: [{ ...items[0], url: PRESIGNED }],
  });
});

test('a list of secrets and a list of URLs are redacted item by item', () => {
  expect(redactSecretFields({ tokens: ['a'], token: ['a', ''], urls: [PRESIGNED, 'https://a.test/'] }, [])).toEqual({
    tokens: ['a'],
    token: ['[redacted]', ''],
    urls: ['https://a.test/'],
  });
});

const SECRET_FIELDS = [
  'password passcode passphrase pin pin_code pinCode pincode access_code verificationCode otp jwt cookie cookies authorization secret clientSecret',
  'token refresh-token api_key apiKey apikey access_key accesskey privateKey privatekey credential credentials signature sign_url signing_link signUrl signature_link sign_page_url shared_link',
].flatMap((names) => names.split(' '));

test.each(SECRET_FIELDS)('the text of %s is redacted', (name) => {
  expect(redactSecretFields({ [name]: 'x' }, [])).toEqual({ [name]: '[redacted]' });
  expect(redactSecretFields({ [`my_${name}`]: 'x', [name]: '' }, [])).toEqual({
    [`my_${name}`]: '[redacted]',
    [name]: '',
  });
});

test.each('pinned opinion tokens design key name secretary passwords url signed_at'.split(' '))(
  'the text of %s is not redacted',
  (name) => {
    expect(redactSecretFields({ [name]: 'x' }, [])).toEqual({ [name]: 'x' });
  },
);

test('bearer tokens in any text are redacted', () => {
  expect(redactSecretFields('use Bearer abcdef123', [])).toBe('use Bearer [redacted]');
  expect(redactSecretFields('a & b', [])).toBe('a & b');
});

test('a key is redacted in names and values, unless it is too short', () => {
  const value = { 'my sk_live_1': ['sk_live_1', { a: 'x sk_live_1' }], id: 7, b: null };
  expect(redactSecretValues(value, ['sk_live_1'])).toEqual({
    'my [redacted]': ['[redacted]', { a: 'x [redacted]' }],
    id: 7,
    b: null,
  });
  expect(redactSecretValues(value, ['sk_live', 'id'])).toBe(value);
  expect(redactSecretValues({ a: 'x sk_live_1' }, ['sk_live_1', 'x'])).toEqual({ a: 'x [redacted]' });
  expect(redactSecretValues({ a: '12345678' }, ['12345678'])).toEqual({ a: '[redacted]' });
});

test('only a link keeps its URL', () => {
  expect([getUnredactedFields('link'), getUnredactedFields('document'), getUnredactedFields(undefined)]).toEqual([
    ['url'],
    [],
    [],
  ]);
});
