/** What a storage's refusal means: whether a fresh address is worth a try, how long is waited, and what is said. */
import { describe, expect, test } from 'vitest';
import { explainStorageRejection } from '../../../../src/upload/storage-rejection.ts';
import { texts } from '../../../core/texts.ts';

const session = {
  uploadUrl: 'https://store.test/put?sig=abcdefgh',
  headers: { 'Content-Type': 'application/pdf', 'x-amz-server-side-encryption': 'AES256' },
  storageKey: 'key/one/two.pdf',
  token: 'tok_1234567890',
};
const explain = (status: number, text = '', retryAfterMs?: number) =>
  explainStorageRejection({ status, text, retryAfterMs }, session);
const SAYS = texts.storageRejectedUploadStatus;

test('a fresh address is worth a try after what passes, and not after what stays', () => {
  const again = Array.from({ length: 200 }, (_, at) => 400 + at).filter((status) => explain(status).retryable);
  // As for every other request that can be repeated, and 410: the address is gone.
  const edge = [520, 521, 522, 523, 524, 525, 526, 527, 529];
  expect(again).toEqual([408, 410, 425, 429, 500, 502, 503, 504, ...edge]);
});

test('a wait that the storage asks for is kept, in the failure and in its error', () => {
  const { error, waitMs, retryable } = explain(503, 'slow down', 7000);
  expect({ waitMs, again: retryable, error: { ...error } }).toMatchObject({
    waitMs: 7000,
    again: true,
    error: { status: 503, retryAfterMs: 7000 },
  });
  expect(explain(503).waitMs).toBeUndefined();
  expect(explain(413, 'too large').error.message).toBe(texts.storageRejectedUploadStatus413);
  expect(explain(413).error.message).toBe(texts.theStorageRejectedTheUpload);
});

describe('a 403', () => {
  test.each([
    ['<Code>AccessDenied</Code> missing header x-amz-acl', 'x-amz-acl'],
    // One that was not sent before one that was.
    ['x-amz-server-side-encryption and x-amz-meta-a', 'x-amz-meta-a'],
    ['The header content-type must be present', 'content-type'],
    ['content-type is required', 'content-type'],
    ['Content-MD5 not sent', 'content-md5'],
    ['cache-control not present', 'cache-control'],
    ['content-language was not found', 'content-language'],
    ['X-Goog-Meta-Owner', 'x-goog-meta-owner'],
  ])('that says %j names the header %s, and the same would happen again', (text, header) => {
    const { error, retryable } = explain(403, text);
    expect(error).toMatchObject({ header, status: 403 });
    expect(error.message).toContain(`${SAYS} the signed header ${header} is missing. The storage said: "`);
    expect(retryable).toBe(false);
  });

  test.each([
    'content-type differs',
    'x-amz-date, x-amz-expires, x-amz-signature, x-amz-credential, x-amz-algorithm, x-amz-security-token',
    'x-amz-request-id 1 x-amz-id-2 2 x-amz-signedheaders',
    'no words',
    '',
  ])('that says %j names none', (text) => {
    const { error, retryable } = explain(403, text);
    expect(error).toMatchObject({ status: 403 });
    expect('header' in error && error.header).toBeFalsy();
    expect(error.message).toContain(
      `${SAYS} a signed header is missing or was changed, or the one-time URL was used before.`,
    );
    expect(retryable).toBe(false);
  });

  test.each([
    'Request has expired',
    'already used',
    texts.hasAlreadyBeenUsed,
    'it is spent',
    'no longer valid',
    'single-use address',
    'one-time address',
  ])('that says %j means a spent address, and a fresh one is worth a try', (text) => {
    const { error, retryable } = explain(403, text);
    expect(error.message).toBe(`${SAYS} the one-time URL was used before or has expired. The storage said: "${text}"`);
    expect(retryable).toBe(true);
  });
});

test.each([
  ['its token', 'bad tok_1234567890!'],
  ['its key', 'no key/one/two.pdf here'],
  ['its address', 'https://store.test/put?sig=abcdefgh is unknown'],
  ['its token in markup', '<p>bad <b>tok_1234567890</b></p>'],
  ['its token in entities', '<p>bad &#116;ok_1234567890</p>'],
  ['its token where tags tear it', 'bad tok_1234567890<br>tok_1234567890'],
])('an echo of %s stays out of the words', (_, text) => {
  for (const status of [400, 403, 500]) {
    const { message } = explain(status, text).error;
    expect(message).toContain('The storage said');
    expect(message).toContain('[redacted]');
    expect(message).not.toMatch(/tok_1|key\/one|abcdefgh/);
  }
});

test('a short token is a part of plain words, and stays', () => {
  const { error } = explainStorageRejection(
    { status: 400, text: 'the header is bad', retryAfterMs: undefined },
    { ...session, token: 'head' },
  );
  const eight = explainStorageRejection(
    { status: 400, text: 'bad eight888', retryAfterMs: undefined },
    { ...session, token: 'eight888' },
  );
  expect(eight.error.message).toContain('bad [redacted]');
  expect(error.message).toContain('"the header is bad"');
});

test('of long words 300 signs are told', () => {
  expect(explain(500, 'x'.repeat(400)).error.message).toBe(
    `The storage rejected the upload (status 500). The storage said: "${'x'.repeat(300)}…"`,
  );
});

test('what signs the address is told nowhere, also where it stands by itself', () => {
  const signature = '5d672d79c15b13162d9279b0855cfba6789a8edb';
  const token = 'IQoJb3JpZ2luX2VjEAAaCXVzLWVhc3Q+/TOKEN==';
  const query = new URLSearchParams({
    'X-Amz-Security-Token': token,
    'X-Amz-Signature': signature,
    'X-Amz-Date': '20261124T000000Z',
  });
  for (const uploadUrl of [`https://store.test/put?${query}`, `/put?${query}`, `/put?token=${token}&s=${signature}`])
    for (const said of [
      signature,
      token,
      token.replaceAll('+', ' '),
      encodeURIComponent(token),
      encodeURIComponent(`/put?${query}`),
    ]) {
      const text = `<Code>SignatureDoesNotMatch</Code><SignatureProvided>${said}</SignatureProvided>`;
      const { message } = explainStorageRejection(
        { status: 403, text, retryAfterMs: undefined },
        { ...session, uploadUrl },
      ).error;
      expect(message).toContain('SignatureDoesNotMatch');
      expect(message).not.toMatch(/5d672d79|TOKEN/);
    }
});
