import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parseEvent, signEvent } from '../../../src/index.ts';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`;
const PLAIN = 'plain text secret';
const event = { id: 'evt_1', type: 'link.viewed', data: { id: 'lnk_1', name: 'Prés: 💼' } };
const body = JSON.stringify(event);
const hmac = (content: string, key: string | Buffer = PLAIN) => createHmac('sha256', key).update(content);
const check = (
  headers: Record<string, string | string[]>,
  secret: string | string[] = PLAIN,
  text: string | Uint8Array = body,
) => parseEvent(text, headers, secret).signature;

test.each(['standard', 'svix', 'timed', 'plain'] as const)(
  'what signEvent signs (%s) is valid, and invalid once changed',
  (scheme) => {
    for (const secret of [SECRET, PLAIN]) {
      const signed = signEvent(event, { secret, scheme });
      expect(check(signed.headers, secret, signed.body)).toBe('valid');
      expect(check(signed.headers, secret, Buffer.from(signed.body))).toBe('valid');
      expect(check(signed.headers, ['another', secret], signed.body)).toBe('valid');
      expect(check(signed.headers, 'another secret', signed.body)).toBe('invalid');
      expect(check(signed.headers, secret, `${signed.body} `)).toBe('invalid');
    }
  },
);

test('signEvent and the standardwebhooks package read each other', () => {
  const peer = new Webhook(SECRET);
  const ours = signEvent(event, { secret: SECRET });
  expect(peer.verify(ours.body, ours.headers)).toEqual(event);
  const now = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': peer.sign('msg_1', now, body),
  };
  expect(check(headers, SECRET)).toBe('valid');
  // That package takes a secret without its prefix as base64 too.
  expect(check(headers, SECRET.slice('whsec_'.length))).toBe('valid');
});

test.each([
  ['five minutes ago', -299_000, 'valid'],
  ['longer ago', -302_000, 'invalid'],
  ['a little ahead', 299_000, 'valid'],
  ['too far ahead', 302_000, 'invalid'],
])('a delivery signed %s is judged by its time', (_, offsetMs, expected) => {
  // The clock stands: five minutes are judged to the second, however busy the machine is.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const time = new Date(Date.now() + Number(offsetMs));
  for (const scheme of ['standard', 'svix', 'timed'] as const)
    expect(check(signEvent(event, { secret: PLAIN, scheme, time }).headers)).toBe(expected);
});

test('one good signature among several is enough', () => {
  const { headers } = signEvent(event, { secret: PLAIN });
  const good = String(headers['webhook-signature']);
  const other = `v1,${'A'.repeat(43)}=`;
  const ed25519 = `v1a,${'A'.repeat(86)}==`;
  expect(check({ ...headers, 'webhook-signature': `${other} ${ed25519} ${good}` })).toBe('valid');
  expect(check({ ...headers, 'webhook-signature': [other, good] })).toBe('valid');
  expect(check({ ...headers, 'webhook-signature': `${other} ${ed25519}` })).toBe('invalid');
  const t = Math.floor(Date.now() / 1000);
  const timed = `t=${t},v1=${'0'.repeat(64)},v1=${hmac(`${t}.${body}`).digest('hex')}`;
  expect(check({ 'X-Webhook-Signature': timed })).toBe('valid');
});

test.each(['X-Signature', 'x-hub-signature-256', 'X_WEBHOOK_SIGNATURE', 'Http-X-Signature-256'])(
  '%s is read in hex, base64 and base64url, bare and prefixed',
  (name) => {
    const digest = hmac(body).digest();
    for (const text of [
      digest.toString('hex'),
      digest.toString('hex').toUpperCase(),
      digest.toString('base64'),
      digest.toString('base64url'),
    ])
      for (const prefix of ['', 'sha256=']) expect(check({ [name]: `${prefix}${text}` })).toBe('valid');
  },
);

test('no header is missing, an unreadable one is invalid', () => {
  expect(check({})).toBe('missing');
  expect(check({ 'x-request-id': 'r' })).toBe('missing');
  for (const value of ['', 'sha256=', 't=1,v1=', 't=,v1=aa', 'v1,', 'é'.repeat(64)])
    expect(check({ 'x-signature': value })).toBe('invalid');
});

test('a secret that decodes to nothing does not become the empty key that any forger holds', () => {
  const forged = hmac(body, '').digest('hex');
  expect(check({ 'x-signature': forged }, 'whsec_!!!')).toBe('invalid');
});

test('any other signature than the right one is invalid', () => {
  const right = hmac(body).digest('base64');
  fc.assert(
    fc.property(fc.nat(right.length - 1), fc.constantFrom(...'ABCDEFGHabcdefgh0123456789+/'), (at, char) => {
      fc.pre(right[at] !== char);
      const wrong = right.slice(0, at) + char + right.slice(at + 1);
      expect(check({ 'x-signature': wrong })).toBe('invalid');
    }),
    { numRuns: 500, seed: 20261121 },
  );
});

test('bytes that are no text are signed as they are', () => {
  const raw = Buffer.concat([
    Buffer.from('{"type":"link.viewed","name":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}'),
  ]);
  const signature = createHmac('sha256', PLAIN).update(raw).digest('hex');
  expect(check({ 'x-signature': signature }, PLAIN, raw)).toBe('valid');
});
