import { expect, test } from 'vitest';
import { parseEvent, SignatureError, signEvent, verifyEvent, verifyEvents } from '../../../src/index.ts';
import { untyped } from '../../support/untyped.ts';
import { texts } from '../texts.ts';

const secret = 'plain text secret';
const event = { id: 'evt_1', type: 'link.viewed', data: { id: 'lnk_1' } };
const HOUR_MS = 3_600_000;

function reasonOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof SignatureError ? error.reason : String(error);
  }
  return 'none';
}

test('verifyEvent gives the event of a valid delivery and throws for any other', () => {
  for (const scheme of ['standard', 'svix', 'timed', 'plain', 'hex', 'base64'] as const) {
    const { body, headers } = signEvent(event, { secret, scheme });
    expect(verifyEvent(body, headers, secret)).toMatchObject({ kind: 'link.viewed', signature: 'valid' });
    expect(reasonOf(() => verifyEvent(`${body} `, headers, secret))).toBe('mismatch');
    expect(reasonOf(() => verifyEvent(body, headers, 'another'))).toBe('mismatch');
    expect(reasonOf(() => verifyEvent(body, {}, secret))).toBe('missing');
  }
});

test('an old delivery is told from a forged one', () => {
  const { body, headers } = signEvent(event, { secret, time: new Date(Date.now() - HOUR_MS) });
  expect(reasonOf(() => verifyEvent(body, headers, secret))).toBe('timestamp');
  expect(reasonOf(() => verifyEvent(body, headers, 'another'))).toBe('mismatch');
  expect(() => verifyEvent(body, headers, secret)).toThrow(/made 36\d\d s ago/);
  expect(verifyEvent(body, headers, { secret, toleranceMs: 2 * HOUR_MS }).id).toBe(headers['webhook-id']);
});

test('without a secret nothing is verified: a variable that is not set must not believe everybody', () => {
  const { body, headers } = signEvent(event, { secret });
  for (const given of [undefined, {}, { secret: undefined }])
    expect(() => verifyEvent(body, headers, untyped(given))).toThrow(texts.theSigningSecretIsMissing);
});

test('while one secret replaces another both are taken, and it is told which one signed', () => {
  const secrets = ['new secret', 'old secret'];
  for (const [index, one] of secrets.entries()) {
    const { body, headers } = signEvent(event, { secret: one });
    expect(verifyEvent(body, headers, secrets).secretIndex).toBe(index);
    expect(parseEvent(body, headers, { secret: secrets }).secretIndex).toBe(index);
  }
  const { body, headers } = signEvent(event, { secret: 'neither' });
  expect(parseEvent(body, headers, secrets)).toMatchObject({ signature: 'invalid', secretIndex: undefined });
});

test('a header of another name is checked as one of a known name', () => {
  const signed = signEvent(event, { secret, scheme: 'hex', header: 'X-Acme-Hmac' });
  expect(verifyEvent(signed.body, { ...signed.headers, 'x-acme-signature-version': '2' }, secret).id).toBe('evt_1');
  expect(reasonOf(() => verifyEvent(signed.body, signed.headers, 'another'))).toBe('mismatch');
  const timed = signEvent(event, { secret, scheme: 'timed', header: 'X-Acme-Signature' });
  expect(verifyEvent(timed.body, timed.headers, secret).id).toBe('evt_1');
});

test('one good signature among several headers is enough: services sign twice while they change the scheme', () => {
  const { body, headers } = signEvent(event, { secret, scheme: 'plain', header: 'x-signature-256' });
  expect(verifyEvent(body, { 'x-signature': 'sha1=00', ...headers }, secret).id).toBe('evt_1');
});

test('only the first eight headers of signatures are read: each costs a digest of the whole body', () => {
  const { body, headers } = signEvent(event, { secret, scheme: 'hex', header: 'x-last-signature' });
  const before = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}-signature`, 'a'.repeat(64)]));
  expect(parseEvent(body, { ...before(7), ...headers }, secret).signature).toBe('valid');
  expect(parseEvent(body, { ...before(8), ...headers }, secret).signature).toBe('invalid');
});

test('a batch is verified as a whole', () => {
  const { body, headers } = signEvent([event, { ...event, id: 'evt_2' }], { secret });
  expect(verifyEvents(body, headers, secret).map(({ id }) => id)).toEqual(['evt_1', 'evt_2']);
  expect(reasonOf(() => verifyEvents(body, headers, 'another'))).toBe('mismatch');
});
