/** What the fields of a form are made of, and which of two ways to fill one in wins. */
import { expect, test } from 'vitest';
import {
  additionalFields,
  collectExtraFields,
  deletionNotice,
  formField,
  recordField,
} from '../../../../zapier/fields/form-fields.ts';
import { formatTime } from '../../../../zapier/fields/parse-date.ts';
import type { TimeFormat } from '../../../../zapier/platform/app-profile.ts';
import { link } from '../../../../zapier/records/kinds.ts';
import { texts } from '../../../zapier/texts.ts';

test('a record is picked from a list or found by a search, and nobody types its id', () => {
  expect(recordField(link, { helpText: 'Which one.' })).toEqual({
    key: 'link',
    label: link.noun,
    type: 'string',
    required: true,
    dynamic: 'link_list.id.name',
    search: 'find_link.id',
    helpText: 'Which one.',
  });
  const own = { key: 'from', label: 'From', required: false, altersDynamicFields: true, helpText: 'x' };
  expect(recordField(link, own)).toMatchObject(own);
});

test('a text field is optional by default', () => {
  const base = { key: 'name', label: 'Name', type: 'string', required: false, helpText: 'x' };
  expect(formField('name', 'Name', { helpText: 'x' })).toEqual(base);
  const more = { helpText: 'x', required: true, list: true, type: 'text' } as const;
  expect(formField('name', 'Name', more)).toEqual({ ...base, ...more });
});

test('what a form does not name is filled in by line, or as an object', () => {
  const shapes = additionalFields('links.create').map(({ helpText: _, label: __, ...shape }) => shape);
  expect(shapes).toEqual([
    { key: 'fields', dict: true, required: false, group: 'more' },
    { key: 'fields_json', type: 'json', schema: { type: 'object' }, required: false, group: 'more' },
  ]);
  expect(deletionNotice('a link')).toEqual({
    key: 'notice',
    type: 'copy',
    helpText: 'Deleting a link cannot be undone.',
  });
});

test('as JSON wins over by line, and both over what was learned', () => {
  const input = { learned__a: 'l', learned__b: 'l', learned__c: 'l', fields: { a: 'f', b: 'f' } };
  expect(collectExtraFields({ ...input, fields_json: '{"a":["j"]}' })).toEqual({ a: ['j'], b: 'f', c: 'l' });
  expect(collectExtraFields({ fields: '{"a":1}' })).toEqual({ a: 1 });
  // Rounded, an id is another object's.
  const long = '{"id":9007199254740993}';
  expect(collectExtraFields({ fields: long })).toEqual({ id: '9007199254740993' });
  expect(collectExtraFields({ fields: { a: long } })).toEqual({ a: { id: '9007199254740993' } });
});

test.each([7, true, ['a']])('additional fields that are %j are refused', (fields) => {
  expect(() => collectExtraFields({ fields })).toThrow(texts.fieldAdditionalFieldsNeeds);
});

test.each([
  ['max_visitors', '5', 5],
  ['max_visitors', ' 5 ', 5],
  ['price', '-0.25', -0.25],
  ['price', '12.345', 12.345],
  ['max_visitors', '123456789012345', 123456789012345],
  ['max_visitors', '5 or so', '5 or so'],
  ['max_visitors', 'x5', 'x5'],
  ['max_visitors', '1a', '1a'],
  ['max_visitors', '5%', '5%'],
  ['max_visitors', '007', '007'],
  ['year', '2024', '2024'],
  ['company', '2024', '2024'],
  ['list', ' ["a", 1] ', ['a', 1]],
  ['list', 'see ["a"]', 'see ["a"]'],
  ['list', '["a"] and more', '["a"] and more'],
  ['list', '["a"]!', '["a"]!'],
  ['list', '["a", ]', '["a", ]'],
  ['map', '{"a":\n1}', { a: 1 }],
  ['quoted', '"true story"', 'true story'],
  ['active', ' true ', true],
  ['active', 'so true', 'so true'],
  ['active', 'true story', 'true story'],
  ['note', 'false', 'false'],
  ['parent', 'null', null],
  ['plan', 7, 7],
  ['valid_until', 7, 7],
  ['dueDate', '22.11.2026', '2026-11-22'],
])('an additional field %s of %j is sent as %j', (name, given, sent) => {
  expect(collectExtraFields({ fields: { [name]: given } })).toEqual({ [name]: sent });
});

test.each([
  ['plan', '22.11.2026', '22.11.2026'],
  ['dueDate', '22.11.2026', '2026-11-22'],
  ['dueDate', 7, 7],
])('a learned field %s of %j, of which no form is known, is sent as %j', (name, given, sent) => {
  expect(collectExtraFields({ [`learned__${name}`]: given })).toEqual({ [name]: sent });
});

test.each([
  ['fields', 'Additional Fields"'],
  ['fields_json', 'Additional Fields as JSON"'],
])('a text in %s that is no JSON is refused by its label', (key, label) => {
  expect(() => collectExtraFields({ [key]: '{"a":' })).toThrow(label);
});

test.each([
  ['date', '2026-11-22'],
  ['date-time', '2026-11-22T12:00:00.500Z'],
  ['epoch-seconds', 1795348800],
  ['epoch-ms', 1795348800500],
] as const)('a time is written as %s', (form, written) => {
  expect(formatTime('2026-11-22T12:00:00.500Z', form as TimeFormat)).toBe(written);
});
