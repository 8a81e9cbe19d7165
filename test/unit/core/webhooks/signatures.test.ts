/** What a signature's header is worth, in every form that it may have. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkSignature, getSignedId } from '../../../../src/webhooks/check-signature.ts';

const SECRET = 'plain text secret';
const BODY = Buffer.from('{"id":"evt_1"}');
const NOW = 1_795_255_200_000;
const T = String(NOW / 1000);
const INVALID = { status: 'invalid' };
const VALID = { status: 'valid', secretIndex: 0 };

const digest = (prefix = '', secret: string | Buffer = SECRET) =>
  createHmac('sha256', secret).update(prefix).update(BODY).digest();
const hex = digest().toString('hex');
const timed = (timestamp = T) => digest(`${timestamp}.`).toString('hex');
const find = (headers: Record<string, string>, secrets = [SECRET]) =>
  checkSignature({ body: BODY, headers: new Map(Object.entries(headers)), secrets, now: NOW, toleranceMs: 60_000 });
const findIn = (value: string) => find({ 'x-signature': value });

/** The letter whose bits are those of `letter` but for the last one: what it decodes to at the end is the same. */
function withSpareBit(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return text.slice(0, 42) + letters[letters.indexOf(text[42] ?? '') ^ 1] + text.slice(43);
}

describe('a bare digest', () => {
  const base64 = digest().toString('base64');
  test.each([
    ['in hex', hex, VALID],
    ['in upper case', hex.toUpperCase(), VALID],
    ['in base64', base64, VALID],
    ['in base64 without its end', base64.slice(0, 43), VALID],
    ['in base64url', digest().toString('base64url'), VALID],
    ['behind sha256=', `sha256=${hex}`, VALID],
    ['behind HMAC-SHA256=', `HMAC-SHA256=${hex}`, VALID],
    ['behind v1=', `v1=${base64}`, VALID],
    ['among others', `${'0'.repeat(64)},  ${hex}`, VALID],
    ['beside a word that ends in t=', `salt=1,${hex}`, VALID],
    ['with a sign before it', `x${hex}`, INVALID],
    ['with a byte before it', `00${hex}`, INVALID],
    ['with a sign behind it', `${hex}x`, INVALID],
    ['with a byte behind it', `${hex}00`, INVALID],
    ['cut', hex.slice(2), INVALID],
    ['with spare bits', withSpareBit(base64), INVALID],
    ['of nothing', '', INVALID],
  ])('%s', (_, value, finding) => {
    expect(findIn(value)).toEqual(finding);
  });
});

describe('a digest with its time', () => {
  const far = { status: 'invalid', clockOffsetMs: 3_600_000 };
  const old = String(NOW / 1000 - 3600);
  test.each([
    ['in the usual order', `t=${T},v1=${timed()}`, VALID],
    ['in the other', `v1=${timed()},t=${T}`, VALID],
    ['with blanks', `t=${T}, v1=${timed()}`, VALID],
    ['with semicolons', `t=${T}; v1=${timed()}`, VALID],
    ['in milliseconds', `t=${NOW},v1=${timed(String(NOW))}`, VALID],
    ['signed anew', `t=${T},v1=${'0'.repeat(64)},v1=${timed()}`, VALID],
    ['of another version', `t=${T},v0=${timed()}`, INVALID],
    ['that is of the body alone', `t=${T},v1=${hex}`, INVALID],
    ['of another time', `t=${T},v1=${timed(old)}`, INVALID],
    ['that is old', `t=${old},v1=${timed(old)}`, far],
  ])('%s', (_, value, finding) => {
    expect(findIn(value)).toEqual(finding);
  });
  test.each([
    [60_000, VALID],
    [61_000, { status: 'invalid', clockOffsetMs: 61_000 }],
    [-60_000, VALID],
    [-61_000, { status: 'invalid', clockOffsetMs: -61_000 }],
  ])('of %i ms ago', (agoMs, finding) => {
    const at = String((NOW - agoMs) / 1000);
    expect(findIn(`t=${at},v1=${timed(at)}`)).toEqual(finding);
  });
  test.each(['12345678', `${NOW}0`, `${T}.5`, '1e9', '0x6b0160e0'])('at %j, which is no time', (at) => {
    expect(findIn(`t=${at},v1=${timed(at)}`)).toEqual({ status: 'invalid', clockOffsetMs: Number.NaN });
  });
});

describe.each(['webhook', 'svix'])('the headers of %s', (name) => {
  const value = (prefix: string, secret?: Buffer) => `v1,${digest(prefix, secret).toString('base64')}`;
  const headers = (id: string, timestamp: string, signature = value(`${id}.${timestamp}.`)) => ({
    [`${name}-id`]: id,
    [`${name}-timestamp`]: timestamp,
    [`${name}-signature`]: signature,
  });
  test('sign id, time and body', () => {
    expect(find(headers('msg', T))).toEqual(VALID);
    expect(find({ ...headers('msg', T), [`${name}-id`]: 'other' })).toEqual(INVALID);
    expect(getSignedId(new Map(Object.entries(headers('msg', T))))).toBe('msg');
  });
  test('are worth nothing without one of them', () => {
    const { [`${name}-id`]: _, ...nameless } = headers('undefined', T);
    const { [`${name}-timestamp`]: __, ...timeless } = headers('msg', 'undefined');
    expect([find(nameless), find(timeless)]).toEqual([INVALID, INVALID]);
    expect(getSignedId(new Map(Object.entries(nameless)))).toBeUndefined();
    expect(getSignedId(new Map([[`${name}-id`, 'msg']]))).toBeUndefined();
    expect(find({ [`${name}-id`]: 'msg', [`${name}-timestamp`]: T })).toEqual({ status: 'missing' });
  });
  test('alone decide where they are there', () => {
    expect(find({ ...headers('msg', T, 'v1,AA=='), 'x-signature': hex })).toEqual(INVALID);
  });
  test.each(['+1795255200', '-1795255200', ' ', '1795255200.0'])('tell no time by %j', (at) => {
    expect(find(headers('msg', at))).toEqual({ status: 'invalid', clockOffsetMs: Number.NaN });
  });
  test('hold several signatures, of which one has to fit', () => {
    const good = value(`msg.${T}.`);
    for (const several of [`v1,AA== ${good}`, `v1a,${'A'.repeat(86)}==,${good}`, `${good}, v1,AA==`])
      expect(find(headers('msg', T, several)), several).toEqual(VALID);
    for (const other of [good.replace('v1', 'v2'), good.replace('v1', 'xv1'), good.slice(3)])
      expect(find(headers('msg', T, other)), other).toEqual(INVALID);
  });
  test('are signed with the bytes of a base64 secret, with or without its prefix', () => {
    const bytes = Buffer.from('twenty-four bytes of key');
    const signed = headers('msg', T, value(`msg.${T}.`, bytes));
    for (const secret of [`whsec_${bytes.toString('base64')}`, bytes.toString('base64')])
      expect(find(signed, ['another', secret])).toEqual({ status: 'valid', secretIndex: 1 });
  });
});

test('of several headers a valid one wins, then the one that is only too old', () => {
  const at = String(NOW / 1000 - 3600);
  const old = `t=${at},v1=${timed(at)}`;
  const wrong = '0'.repeat(64);
  expect(find({ 'x-a-signature': wrong, 'x-b-signature': old })).toEqual({
    status: 'invalid',
    clockOffsetMs: 3_600_000,
  });
  expect(find({ 'x-a-signature': old, 'x-b-hmac': hex })).toEqual(VALID);
  expect(find({ 'x-a-signature': wrong, 'x-b-signature': wrong })).toEqual(INVALID);
});
