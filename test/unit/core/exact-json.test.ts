/** Which numbers of an answer are given as the text of their digits: those that a number would round. */
import { expect, test, vi } from 'vitest';
import { isLongIntegerText, parseJsonExact } from '../../../src/exact-json.ts';

test.each<[string, unknown]>([
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['[1234567890123456789, 7]', ['1234567890123456789', 7]],
  ['{"a": {"id": 1234567890123456789}}', { a: { id: '1234567890123456789' } }],
  ['{"a": "1234567890123456789"}', { a: '1234567890123456789' }],
  ['[-0, 1234567890123456789.0]', [-0, 1.2345678901234568e18]],
  ['["12345678901234567", null, true, {}]', ['12345678901234567', null, true, {}]],
  // A measure, and no id, whose rounding is meant.
  ['0.1234567890123456789', 0.12345678901234568],
  ['1.5e300', 1.5e300],
  ['{"n": 1e21, "long": 1234567890123456}', { n: 1e21, long: 1234567890123456 }],
])('%s is %j', (text, value) => {
  expect(parseJsonExact(text)).toEqual(value);
});

test.each(['{"id":N}', '[1,N]', 'N', '\n-N ', '{"a": "\\"", "id"\n:\tN}', '[[N]]'])('%s: none is missed', (text) => {
  const digits = '1234567890123456789';
  expect(JSON.stringify(parseJsonExact(text.replace('N', digits)))).toContain(`${digits}"`);
});

test('a text that is nested deeper than the stack is read as ever', () => {
  const levels = 20_000;
  const text = `${'['.repeat(levels)}1234567890123456789${']'.repeat(levels)}`;
  expect(parseJsonExact(text)).toEqual([expect.anything()]);
});

test('only a text with such a number is looked at value by value: hashes and measures have many digits too', () => {
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
  parse.mockRestore();
});

test('what is no JSON is none', () => {
  expect(() => parseJsonExact('{"id": 1234567890123456789')).toThrow(SyntaxError);
});

test('a name that means a prototype elsewhere is a name', () => {
  const value = parseJsonExact('{"__proto__": {"id": 1234567890123456789}}') as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(['__proto__']);
});

test.each<[unknown, boolean]>([
  ['9007199254740992', true],
  ['-9007199254740993', true],
  ['1234567890123456789', true],
  // Such a number is held exactly, so that it comes as one.
  ['9007199254740991', false],
  ['1234567890123456', false],
  ['12345', false],
  ['a1234567890123456789', false],
  ['1234567890123456789a', false],
  ['1234567890123456789.5', false],
  [1e18, false],
  [undefined, false],
])('%j is such a number as it comes: %j', (value, isOne) => {
  expect(isLongIntegerText(value)).toBe(isOne);
});

test('any other read error is reported unchanged', () => {
  const broken = new Error('broken');
  const parse = vi.spyOn(JSON, 'parse').mockImplementation(() => {
    throw broken;
  });
  try {
    expect(() => parseJsonExact('[1234567890123456789]')).toThrow(broken);
    expect(parse).toHaveBeenCalledTimes(1);
  } finally {
    parse.mockRestore();
  }
});
