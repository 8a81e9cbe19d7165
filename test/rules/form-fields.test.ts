/** What the fields of a form are made of, and which of two ways to fill one in wins. */
import { expect, test } from 'vitest';
import {
  additionalFields,
  deletionNotice,
  readMore,
  recordField,
  textInput,
} from '../../zapier/forms/form.ts';
import { link } from '../../zapier/records/link.ts';

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

test('a line of text may be left empty, unless told', () => {
  const base = { key: 'name', label: 'Name', type: 'string', required: false, helpText: 'x' };
  expect(textInput('name', 'Name', { helpText: 'x' })).toEqual(base);
  const more = { helpText: 'x', required: true, list: true, type: 'text' } as const;
  expect(textInput('name', 'Name', more)).toEqual({ ...base, ...more });
});

test('what a form does not name is filled in by line, or as an object', () => {
  const shapes = additionalFields.map(({ helpText: _, label: __, ...shape }) => shape);
  expect(shapes).toEqual([
    { key: 'fields', dict: true, required: false, group: 'more' },
    {
      key: 'fields_json',
      type: 'json',
      schema: { type: 'object' },
      required: false,
      group: 'more',
    },
  ]);
  expect(deletionNotice('a link')).toEqual({
    key: 'notice',
    type: 'copy',
    helpText: 'Deleting a link cannot be undone.',
  });
});

test('as JSON wins over by line, and both over what was learned', () => {
  const input = { learned__a: 'l', learned__b: 'l', learned__c: 'l', fields: { a: 'f', b: 'f' } };
  expect(readMore({ ...input, fields_json: '{"a":["j"]}' })).toEqual({ a: ['j'], b: 'f', c: 'l' });
  expect(readMore({ fields: '{"a":1}' })).toEqual({ a: 1 });
});

test.each([7, true, ['a']])('additional fields that are %j are refused', (fields) => {
  expect(() => readMore({ fields })).toThrow(
    'The field "Additional Fields" needs names and values. Correct it in this step.',
  );
});
