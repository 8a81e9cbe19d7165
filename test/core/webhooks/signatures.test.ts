import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { InputError, parseEvent, SignatureError, signEvent, verifyEvent, verifyEvents } from '../../../src/index.ts';
import { untyped } from '../../support/untyped.ts';
import { texts } from '../texts.ts';

const SECRET = 'plain text secret';
const KEY = Buffer.from('twenty-four bytes of key');
const WHSEC = `whsec_${KEY.toString('base64')}`;
const BODY = '{"id":"evt_1","type":"link.viewed"}';
const NOW = 1_795_255_200_000;
const T = String(NOW / 1000);
const OLD = String(NOW / 1000 - 3600);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));

const digest = (prefix = '', secret: string | Buffer = SECRET) =>
  createHmac('sha256', secret).update(prefix).update(BODY).digest();
const hex = digest().toString('hex');
const base64 = digest().toString('base64');
const timed = (timestamp = T) => digest(`${timestamp}.`).toString('hex');
/** The last character with another unused bit: it decodes to the same bytes. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const spare = base64.slice(0, 42) + LETTERS[LETTERS.indexOf(base64[42] ?? '') ^ 1] + base64.slice(43);

/** "valid", or the reason why a delivery with these headers is rejected. */
function check(headers: Record<string, string | string[]>, secret: string | string[] = SECRET, toleranceMs = 60_000) {
  try {
    return verifyEvent(BODY, headers, { secret, toleranceMs }).signature;
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    return error.reason;
  }
}

test.each([
  ['hex', hex, 'valid'],
  ['base64', base64, 'valid'],
  ['base64url', digest().toString('base64url'), 'valid'],
  ['a digest after sha256=', `sha256=${hex}`, 'valid'],
  ['a digest after v1=', `v1=${base64}`, 'valid'],
  ['one of several digests', `${'0'.repeat(64)},  ${hex}`, 'valid'],
  ['a digest after a parameter that ends in t=', `salt=1,${hex}`, 'valid'],
  ['a digest after a letter', `x${hex}`, 'mismatch'],
  ['a digest before a letter', `${hex}x`, 'mismatch'],
  ['a part of a digest', hex.slice(2), 'mismatch'],
  ['base64 with another unused bit', spare, 'mismatch'],
  ['nothing', '', 'mismatch'],
  ['a time and a digest', `t=${T},v1=${timed()}`, 'valid'],
  ['a time and a digest with a semicolon', `t=${T}; v1=${timed()}`, 'valid'],
  ['a time in milliseconds', `t=${NOW},v1=${timed(String(NOW))}`, 'valid'],
  ['one of two digests with a time', `t=${T},v1=${'0'.repeat(64)},v1=${timed()}`, 'valid'],
  ['a digest of another version', `t=${T},v0=${timed()}`, 'mismatch'],
  ['a time and a digest of the body alone', `t=${T},v1=${hex}`, 'mismatch'],
  ['a digest of another time', `t=${T},v1=${timed(OLD)}`, 'mismatch'],
  ['an old digest', `t=${OLD},v1=${timed(OLD)}`, 'timestamp'],
  ...[60_000, 61_000, -60_000, -61_000].map((agoMs) => {
    const at = String((NOW - agoMs) / 1000);
    return [`a digest of ${agoMs} ms ago`, `t=${at},v1=${timed(at)}`, Math.abs(agoMs) > 60_000 ? 'timestamp' : 'valid'];
  }),
  ...['12345678', `${NOW}0`, `${T}.5`, '1e9', '0x6b0160e0'].map((at) => [
    `a digest of the invalid time ${at}`,
    `t=${at},v1=${timed(at)}`,
    'timestamp',
  ]),
])('%s', (_, value, result) => {
  expect(check({ 'x-signature': value })).toBe(result);
});

describe.each(['webhook', 'svix'])('the headers of %s', (name) => {
  const value = (prefix: string, secret?: Buffer) => `v1,${digest(prefix, secret).toString('base64')}`;
  const headers = (id: string, timestamp: string, signature = value(`${id}.${timestamp}.`)) => ({
    [`${name}-id`]: id,
    [`${name}-timestamp`]: timestamp,
    [`${name}-signature`]: signature,
  });
  const without = (part: string) =>
    Object.fromEntries(Object.entries(headers('undefined', 'undefined')).filter(([key]) => key !== `${name}-${part}`));
  const good = value(`msg.${T}.`);

  test.each<[string, Record<string, string>, string]>([
    ['ID, time and body', headers('msg', T), 'valid'],
    ['another ID', { ...headers('msg', T), [`${name}-id`]: 'other' }, 'mismatch'],
    ['no ID', without('id'), 'mismatch'],
    ['no time', without('timestamp'), 'mismatch'],
    ['no signature', without('signature'), 'missing'],
    ['an invalid one beside a valid X-Signature', { ...headers('msg', T, 'v1,AA=='), 'x-signature': hex }, 'mismatch'],
    ...['+1795255200', '-1795255200', '1795255200.0'].map((at): [string, Record<string, string>, string] => [
      `the invalid time "${at}"`,
      headers('msg', at),
      'timestamp',
    ]),
    ['several, one of them valid', headers('msg', T, `v1,AA== ${good}`), 'valid'],
    ['another one of Ed25519', headers('msg', T, `v1a,${'A'.repeat(86)}==,${good}`), 'valid'],
    ['several with commas', headers('msg', T, `${good}, v1,AA==`), 'valid'],
    ...[good.replace('v1', 'v2'), good.replace('v1', 'xv1'), good.slice(3)].map(
      (other): [string, Record<string, string>, string] => [`only ${other}`, headers('msg', T, other), 'mismatch'],
    ),
  ])('with %s', (_, given, result) => {
    expect(check(given)).toBe(result);
  });
  test('are signed with the bytes of a base64 secret, with or without its prefix', () => {
    const signed = headers('msg', T, value(`msg.${T}.`, KEY));
    for (const secret of [WHSEC, KEY.toString('base64')])
      expect(parseEvent(BODY, signed, ['another', secret])).toMatchObject({ signature: 'valid', secretIndex: 1 });
  });
});

test('of several headers a valid one counts, then one that is only too old', () => {
  const old = `t=${OLD},v1=${timed(OLD)}`;
  const wrong = '0'.repeat(64);
  expect(check({ 'x-a-signature': wrong, 'x-b-signature': old })).toBe('timestamp');
  expect(check({ 'x-a-signature': old, 'x-b-hmac': hex })).toBe('valid');
  expect(check({ 'x-a-signature': wrong, 'x-b-signature': wrong })).toBe('mismatch');
  expect(check({ 'X-Acme-Hmac': hex, 'x-acme-signature-version': '2' })).toBe('valid');
  expect(check({ 'x-request-id': 'r' })).toBe('missing');
});

test('only the first eight signature headers are read, because each costs a digest of the whole body', () => {
  const before = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}-signature`, 'a'.repeat(64)]));
  expect([7, 8].map((count) => check({ ...before(count), 'x-last-signature': hex }))).toEqual(['valid', 'mismatch']);
});

test.each(['X-Signature', 'x-hub-signature-256', 'X_WEBHOOK_SIGNATURE', 'Http-X-Signature-256'])(
  '%s is a signature header',
  (name) => {
    expect([check({ [name]: hex }), check({ [name]: ['sha1=00', `sha256=${base64}`] })]).toEqual(['valid', 'valid']);
  },
);

test.each([
  ['another body', { 'x-signature': '0'.repeat(64) }, texts.beforeAnyJsonParsing],
  ['nothing', {}, texts.theDeliveryHasNoSignature],
  ['an old time', { 'x-signature': `t=${OLD},v1=${timed(OLD)}` }, /matches but was made 3600 s ago/],
  ['a future time', signEvent(BODY, { secret: SECRET, time: new Date(NOW + 3.6e6) }).headers, /3600 s in the future/],
  ['no time', signEvent(BODY, { secret: SECRET, time: new Date(1000) }).headers, /matches but has no valid time/],
] as [string, Record<string, string>, string | RegExp][])('a delivery with %s is explained', (_, headers, words) => {
  expect(() => verifyEvent(BODY, headers, SECRET)).toThrow(words);
});

test('the default tolerance is five minutes, and a caller may set another', () => {
  const at = (offsetMs: number, toleranceMs?: number) => {
    const { headers } = signEvent(BODY, { secret: SECRET, time: new Date(NOW + offsetMs) });
    const options = { secret: SECRET, ...(toleranceMs === undefined ? {} : { toleranceMs }) };
    return parseEvent(BODY, headers, options).signature;
  };
  expect([-299_000, 299_000, -302_000, 302_000].map((ms) => at(ms))).toEqual(['valid', 'valid', 'invalid', 'invalid']);
  expect([at(-1000, 0), at(-3_600_000, 7_200_000)]).toEqual(['invalid', 'valid']);
  for (const toleranceMs of [-1, Number.NaN])
    expect(() => at(0, toleranceMs)).toThrow(texts.tolerancemsMust0Milliseconds);
});

test.each(['standard', 'svix', 'timed', 'plain', 'hex', 'base64'] as const)('the scheme %s is verified', (scheme) => {
  const event = { id: 'evt_1', type: 'link.viewed', data: { name: 'Prés: 💼' } };
  for (const secret of [WHSEC, SECRET]) {
    const { body, headers } = signEvent(event, { secret, scheme });
    for (const raw of [body, Buffer.from(body)])
      expect(verifyEvent(raw, headers, ['another', secret])).toMatchObject({ signature: 'valid', secretIndex: 1 });
    for (const [raw, given] of [
      [body, 'another'],
      [`${body} `, secret],
    ] as const)
      expect(parseEvent(raw, headers, given)).toMatchObject({ signature: 'invalid', secretIndex: undefined });
    expect(verifyEvents(body, headers, secret)).toHaveLength(1);
  }
});

test('signEvent and the package standardwebhooks read each other', () => {
  const secret = `whsec_${KEY.toString('base64')}`;
  const peer = new Webhook(secret);
  const ours = signEvent(BODY, { secret });
  expect(peer.verify(ours.body, ours.headers)).toEqual(JSON.parse(BODY));
  const theirs = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': T,
    'webhook-signature': peer.sign('msg_1', new Date(), BODY),
  };
  expect(check(theirs, secret)).toBe('valid');
});

test('any other signature is invalid', () => {
  fc.assert(
    fc.property(fc.nat(base64.length - 1), fc.constantFrom(...'ABCDEFGHabcdefgh0123456789+/'), (at, char) => {
      fc.pre(base64[at] !== char);
      expect(check({ 'x-signature': base64.slice(0, at) + char + base64.slice(at + 1) })).toBe('mismatch');
    }),
    { numRuns: 500, seed: 20261121 },
  );
});

test('bytes that are not text are signed unchanged', () => {
  const raw = Buffer.concat([Buffer.from('{"type":"link.viewed","n":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
  const signature = createHmac('sha256', SECRET).update(raw).digest('hex');
  expect(parseEvent(raw, { 'x-signature': signature }, SECRET).signature).toBe('valid');
});

test.each(['', ' \n', 'whsec_', 'whsec_==', [], ['good', ''], [undefined]])('the secret %j is rejected', (given) => {
  expect(() => parseEvent(BODY, {}, given as string)).toThrow(/secret is empty/);
  expect(() => parseEvent(BODY, {}, { secret: given as string })).toThrow(InputError);
});

test('a secret that decodes to nothing is not an empty key, and without a secret nothing is verified', () => {
  expect(check({ 'x-signature': digest('', '').toString('hex') }, 'whsec_!!!')).toBe('mismatch');
  for (const given of [undefined, {}, { secret: undefined }])
    expect(() => verifyEvent(BODY, { 'x-signature': hex }, untyped(given))).toThrow(texts.theSigningSecretIsMissing);
});

const standard = `v1,${digest(`msg.${T}.`, KEY).toString('base64')}`;
const time = new Date(NOW + 900);

test.each([
  [undefined, { 'webhook-id': 'msg', 'webhook-timestamp': T, 'webhook-signature': standard }],
  ['standard', { 'webhook-id': 'msg', 'webhook-timestamp': T, 'webhook-signature': standard }],
  ['svix', { 'svix-id': 'msg', 'svix-timestamp': T, 'svix-signature': standard }],
  ['timed', { 'x-webhook-signature': `t=${T},v1=${digest(`${T}.`, WHSEC).toString('hex')}` }],
  ['plain', { 'x-signature': `sha256=${digest('', WHSEC).toString('hex')}` }],
  ['hex', { 'x-signature': digest('', WHSEC).toString('hex') }],
  ['base64', { 'x-signature': digest('', WHSEC).toString('base64') }],
] as const)('signEvent with the scheme %s returns its headers', (scheme, headers) => {
  const options = { secret: WHSEC, id: 'msg', time, ...(scheme ? { scheme } : {}) };
  const sent = { body: BODY, headers: { 'content-type': 'application/json', ...headers } };
  expect(signEvent(JSON.parse(BODY), options)).toEqual(sent);
  // A string is sent unchanged.
  expect(signEvent(` ${BODY}`, options).body).toBe(` ${BODY}`);
});

test('`header` renames the signature header, and each delivery has its own ID', () => {
  const { headers } = signEvent({ id: 'e' }, { secret: 's', scheme: 'timed', header: 'x-own', time });
  expect(Object.keys(headers)).toEqual(['content-type', 'x-own']);
  const ids = ['a', 'b'].map(() => signEvent({}, { secret: WHSEC }).headers['webhook-id']);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^msg_[0-9a-f-]{36}$/);
});
