/** A secret that is written otherwise than it was given. */
import { expect, test } from 'vitest';
import { createEncodedSecretRedactor } from '../../../../src/redact/encoded-secrets.ts';

const R = '[redacted]';
const SECRET = 'k>>>???k>>>???-Key_42';
const clean = (text: string, ...secrets: string[]) =>
  createEncodedSecretRedactor(secrets.length > 0 ? secrets : [SECRET])(text, R);
const hex = (text: string) => Buffer.from(text).toString('hex');

test.each<readonly [way: string, form: string]>([
  ['in capitals', SECRET.toUpperCase()],
  ['in hex', hex(SECRET)],
  ['by the numbers of an address', SECRET.replace(/./g, (sign) => `%${hex(sign)}`)],
  ['by those of JSON', SECRET.replace(/./g, (sign) => `\\u00${hex(sign)}`)],
  ['by those of HTML', SECRET.replace(/./g, (sign) => `&#${sign.charCodeAt(0)};`)],
  ['by those of HTML, in hex', SECRET.replace(/./g, (sign) => `&#x${hex(sign)};`)],
  ['by those of an e-mail', SECRET.replace(/./g, (sign) => `=${hex(sign)}`)],
  ...['\n', '\r\n', '=\n', '=\r\n', '\\n', '\\\\\\\\n', '\\\\', '\u200b', '<wbr>', '<wbr/>', '<wbr />'].map(
    (gap) => [`broken by ${JSON.stringify(gap)}`, [...SECRET].join(gap)] as const,
  ),
])('%s', (_, form) => {
  expect(clean(`it is ${form}, they say`)).toBe(`it is ${R}, they say`);
  expect(clean(form)).toBe(R);
});

test.each([0, 1, 2, 3])('in base64, behind %i signs of something else', (before) => {
  for (const form of ['base64', 'base64url'] as const) {
    const [head, tail] = ['x'.repeat(before), 'yyy'];
    const whole = Buffer.from(head + SECRET + tail).toString(form);
    // A sign that the secret shares with what stands beside it says too little of it to be taken.
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + SECRET.length) * 8) / 6);
    expect(clean(whole)).toBe(whole.slice(0, from) + R + whole.slice(to));
  }
  const alone = Buffer.from('a'.repeat(13)).toString('base64');
  expect(clean(alone, 'a'.repeat(13))).toBe(R + alone.slice(17));
});

test('twelve signs are enough to be told, eleven are not', () => {
  expect(clean('ABCDEFGHIJKL', 'abcdefghijkl')).toBe(R);
  expect(clean(`x ${hex('abcdefghijk')} ABCDEFGHIJK`, 'abcdefghijk')).toBe(`x ${hex('abcdefghijk')} ABCDEFGHIJK`);
  // Twelve that come to none in a view.
  expect(clean('\\'.repeat(30), '\\'.repeat(12))).toBe('\\'.repeat(30));
  expect(clean('ABC\\DEFGHIJKLM', 'abc\\defghijklm')).toBe(R);
});

test.each(['two words here', 'é-abcdefghijklm', 'abcdefghijklm-é'])(
  '%s cannot be a key and is not searched for',
  (text) => {
    expect(clean(hex(text), text)).toBe(hex(text));
  },
);

test('the first half is enough, of a long one its first 48 signs; less is not', () => {
  const long = Array.from({ length: 300 }, (_, at) => String.fromCharCode(97 + ((at * 7) % 26))).join('');
  expect(clean(`x ${long.slice(0, 60).toUpperCase()} y`, long)).toBe(`x ${R} y`);
  expect(clean(long.slice(0, 47).toUpperCase(), long)).toBe(long.slice(0, 47).toUpperCase());
  expect(clean(SECRET.slice(0, 11).toUpperCase())).toBe(SECRET.slice(0, 11).toUpperCase());
});

test('several go in whatever order they were given, also where they touch', () => {
  const [one, two] = ['first-secret-1', 'second-secret-2'];
  for (const secrets of [
    [one, two],
    [two, one],
  ]) {
    expect(clean(`a ${one.toUpperCase()} b ${hex(two)} c`, ...secrets)).toBe(`a ${R} b ${R} c`);
    expect(clean(one.toUpperCase() + two.toUpperCase(), ...secrets)).toBe(R + R);
  }
});

test('what looks like numbers in it is read as it stands too', () => {
  expect(clean('at ABC=4142DEF%20X1 now', 'abc=4142def%20x1')).toBe(`at ${R} now`);
});

test('a sign is no other one', () => {
  expect(clean('USER`EXAMPLE.X1', 'user@example.x1')).toBe('USER`EXAMPLE.X1');
});
