import { expect, test, vi } from 'vitest';
import { isLongIntegerText, parseJsonExact } from '../../../src/exact-json.ts';

test.each<[string, unknown]>([
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['-9007199254740993', '-9007199254740993'],
  ['[1234567890123456789, 7]', ['1234567890123456789', 7]],
  ['{"a": {"id": 1234567890123456789}}', { a: { id: '1234567890123456789' } }],
  ['[-0, 1234567890123456789.0]', [-0, 1.2345678901234568e18]],
  ['["12345678901234567", null, true, {}]', ['12345678901234567', null, true, {}]],
  // A measurement, not an ID: rounding is intended.
  ['0.1234567890123456789', 0.12345678901234568],
  ['{"n": 1e21, "long": 1234567890123456}', { n: 1e21, long: 1234567890123456 }],
])('%s is parsed as %j', (text, value) => {
  expect(parseJsonExact(text)).toEqual(value);
});

test.each(['{"id":N}', '[1,N]', 'N', '\n-N ', '{"a": "\\"", "id"\n:\tN}', '[[N]]'])('the integer of %s', (text) => {
  const digits = '1234567890123456789';
  expect(JSON.stringify(parseJsonExact(text.replace('N', digits)))).toContain(`${digits}"`);
});

test('a text nested deeper than the call stack is parsed as usual', () => {
  const levels = 20_000;
  const text = `${'['.repeat(levels)}1234567890123456789${']'.repeat(levels)}`;
  expect(parseJsonExact(text)).toEqual([expect.anything()]);
});

test('only a text with a long integer is parsed with a reviver; hashes and measurements have many digits too', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const looked = (text: string) => {
    parse.mockClear();
    parseJsonExact(text);
    return parse.mock.calls.some(([, look]) => look !== undefined);
  };
  const digits = '1234567890123456789';
  const plain = [`["${digits}"]`, `["a${digits}f"]`, `[0.${digits}]`, `[${digits}.5]`, `[${digits}e9]`, '[123]'];
  expect(plain.filter(looked)).toEqual([]);
  expect(looked(`[${digits}]`)).toBe(true);
});

test('invalid JSON throws a SyntaxError', () => {
  expect(() => parseJsonExact('{"id": 1234567890123456789')).toThrow(SyntaxError);
});

test('a name such as __proto__ is an ordinary field', () => {
  const value = parseJsonExact('{"__proto__": {"id": 1234567890123456789}}') as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(['__proto__']);
});

test.each<[unknown, boolean]>([
  ['9007199254740992', true],
  ['1234567890123456789', true],
  // A number that JavaScript represents exactly is returned as a number.
  ['9007199254740991', false],
  ['12345', false],
  ['1234567890123456789a', false],
  ['1234567890123456789.5', false],
  [undefined, false],
])('whether %j is the text of a long integer: %j', (value, isOne) => {
  expect(isLongIntegerText(value)).toBe(isOne);
});
