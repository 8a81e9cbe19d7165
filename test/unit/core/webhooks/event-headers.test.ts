/** The headers of a delivery, however a server hands them over. */

import { expect, test } from 'vitest';
import type { EventHeaders } from '../../../../src/index.ts';
import { normalizeHeaders } from '../../../../src/webhooks/event-headers.ts';
import { texts } from '../../../core/texts.ts';

const read = (headers: unknown) => Object.fromEntries(normalizeHeaders(headers as EventHeaders));

test.each<[string, unknown]>([
  ['an object', { 'X-Id': 'a', 'x-count': 7 }],
  ['pairs', [['X-Id', 'a'] as const, ['x-count', 7] as const]],
  ['a Map', new Map<string, string | number>([['X-Id', 'a']]).set('x-count', 7)],
  ['Headers', new Headers({ 'X-Id': 'a', 'x-count': '7' })],
  ['the flat list of Node', ['X-Id', 'a', 'x-count', '7']],
])('%s is read', (_, headers) => {
  expect(read(headers)).toEqual({ 'x-id': 'a', 'x-count': '7' });
});

test.each([
  ['HTTP_X_FOO', 'x-foo'],
  ['Http-X-Foo', 'x-foo'],
  ['X_Foo', 'x-foo'],
  ['x-http-foo', 'x-http-foo'],
  ['http', 'http'],
])('the name %s is %s', (name, known) => {
  expect(read({ [name]: 'a' })).toEqual({ [known]: 'a' });
});

test.each<[string, unknown, Record<string, string>]>([
  ['without a value', { a: null, b: undefined, c: '', d: 0 }, { c: '', d: '0' }],
  ['with several', { a: ['b', 'c', 7] }, { a: 'b, c, 7' }],
  ['between blanks', { a: ' b ' }, { a: 'b' }],
  ['that came twice', [['A', 'b'] as const, ['a', 'c'] as const], { a: 'b, c' }],
  ['that came twice with one value', ['A', 'b', 'a', ' b'], { a: 'b' }],
])('a header %s', (_, headers, known) => {
  expect(read(headers)).toEqual(known);
});

test('no headers at all are none', () => {
  for (const none of [{}, [], new Map(), new Headers()]) expect(read(none)).toEqual({});
});

test.each([undefined, null, 'x-id: a', 7])('%o holds no headers', (given) => {
  expect(() => read(given)).toThrow(texts.orPairsOfNameAnd);
});

test.each([
  ['a flat list that ends in a name', ['a', 'b', 'c']],
  ['a pair among texts', ['a', ['b', 'c']]],
  ['a pair of three', [['a', 'b', 'c']]],
  ['a pair of one', [['a']]],
  ['a pair among others', [['a', 'b'], ['c']]],
  ['a pair whose name is a number', [[7, 'b']]],
  ['two letters', new Set([{ 0: 'a', 1: 'b', length: 2 }])],
  ['numbers', [7, 8]],
])('%s is refused', (_, given) => {
  expect(() => read(given)).toThrow(texts.headersMustContainPairs);
});
