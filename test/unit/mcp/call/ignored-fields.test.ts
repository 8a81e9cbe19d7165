/** What an answer says of the `fields` that it does not carry as they were sent. */
import { expect, test } from 'vitest';
import { warnIgnoredFields } from '../../../../mcp/call/warn-ignored-fields.ts';
import type { Tool } from '../../../../mcp/tool/tool.ts';
import { texts } from '../../../mcp/texts.ts';
import { createStub } from '../../../support/create-stub.ts';

const tool = createStub<Tool>({ operations: ['links.update'] });
const saidOf = (fields: unknown, data: object) =>
  warnIgnoredFields({ data: { ...data } }, { tool, args: { fields } }).data['unconfirmed_fields'];

test.each<[string, unknown, object]>([
  [texts.underItsOwnName, 'a', { note: 'a' }],
  ['under the name in another spelling', 'a', { 'No-Te': 'a' }],
  ['in other capitals, with blanks', ' A ', { note: 'a' }],
  ['as a number for its text', '7', { note: 7 }],
  ['four levels down', 'a', { one: { two: [{ note: 'a' }] } }],
  ['as an object that holds it', 'a', { note: { id: 'n1', text: 'a' } }],
  ['as a list in a shape of the service’s own', ['a'], { note: { count: 1 } }],
  ['as the count of a list', ['a'], { note: 1 }],
  ['as the same day with its time', '2026-12-31', { note: '2026-12-31T18:00:00Z' }],
  ['as seconds', '2026-12-31T18:00:00Z', { note: 1_798_740_000 }],
  ['as milliseconds', '2026-12-31T18:00:00Z', { note: 1_798_740_000_000 }],
  ['where null took it away', null, {}],
  ['where it was left undefined', undefined, {}],
])('a field is shown %s', (_, value, data) => {
  expect(saidOf({ note: value }, data)).toBeUndefined();
});

test('nothing is named if the response held no object, which its note says', () => {
  const result = { data: { note: 'empty' }, trustedFields: ['note'] };
  expect(warnIgnoredFields(result, { tool, args: { fields: { a: 1 } } })).toBe(result);
});

test.each<[string, unknown, object]>([
  ['that is missing', 'a', {}],
  ['that came back empty', 'a', { note: null }],
  ['of another value', 'a', { note: 'b' }],
  ['of another day', '2026-12-31', { note: '2027-01-02T00:00:00Z' }],
  ['that is a text where a list was sent', ['a'], { note: 'a' }],
  ['five levels down', 'a', { one: { two: { three: { four: { note: 'a' } } } } }],
])('a field %s is named', (_, value, data) => {
  expect(saidOf({ note: value }, data)).toBe(texts.servicesResponseDoesContainThese);
});

test('ten fields are named and the others counted, odd names inside marks, and the sentence is no stranger’s', () => {
  const fields = Object.fromEntries(['a b', ...'cdefghijklm'].map((name) => [name, 1]));
  const answer = warnIgnoredFields({ data: {}, trustedFields: ['next'] }, { tool, args: { fields } });
  expect(answer.data['unconfirmed_fields']).toContain('"a b", c, d, e, f, g, h, i, j, k and 2 more.');
  expect(answer.trustedFields).toEqual(['next', 'unconfirmed_fields']);
});

test('a group without a list is not told to be looked at', () => {
  const billing = createStub<Tool>({ operations: ['billing.usage'] });
  const { data } = warnIgnoredFields({ data: {} }, { tool: billing, args: { fields: { note: 1 } } });
  expect(data['unconfirmed_fields']).toMatch(/It may have ignored them\.$/);
});
